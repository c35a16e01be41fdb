/** A step of a path: the name of a property, or an index. */
export type PathStep = string | number

// One step: `.name`, `["name"]`, `['name']` or `[0]`. What selects several values, or counts from the end, is none.
const STEP =
  /\.([^\s.[\]()'"*?@$,:]+)|\[(?:(0|[1-9]\d*)|"((?:[^"\\\p{Cc}]|\\.)*)"|'((?:[^'\\\p{Cc}]|\\.)*)')\]/uy

const ESCAPES: { readonly [letter: string]: string } = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([bfnrt"'/\\])|([\s\S]?))/g

function unescaped(text: string): string | undefined {
  let isSound = true
  const out = text.replace(ESCAPE, (_all, unit: string | undefined, letter: string | undefined) => {
    if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16))
    if (letter === undefined) isSound = false
    return ESCAPES[letter ?? ''] ?? letter ?? ''
  })
  return isSound ? out : undefined
}

/** The steps of a JSON path (RFC 9535) that leads to one value; `undefined` for any other path. */
export function readJsonPath(path: string): readonly PathStep[] | undefined {
  if (!path.startsWith('$')) return undefined
  const steps: PathStep[] = []
  for (let at = 1; at < path.length; at = STEP.lastIndex) {
    STEP.lastIndex = at
    const found = STEP.exec(path)
    if (found === null) return undefined
    const [, name, index, double, single] = found
    const step = name ?? (index === undefined ? unescaped(double ?? single ?? '') : Number(index))
    if (step === undefined) return undefined
    steps.push(step)
  }
  return steps
}
