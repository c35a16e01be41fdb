/** Sets an own property whatever its name: `__proto__` is a name like any other. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}
