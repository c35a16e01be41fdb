/** True where the runtime lets a program make functions from text; Workers and strict pages do not. */
export function canGenerateCode(): boolean {
  try {
    return new Function('return true')() === true
  } catch {
    return false
  }
}
