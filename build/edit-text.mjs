// How the build changes texts that it has not written. What is expected of one and does not hold ends the build: then it is another
// version, to be looked at by a person.

/** `assert` and `replace` for a text that is called by a name where it is not as expected. */
export function editsOf(name) {
  const assert = (condition, message) => {
    if (!condition) throw new Error(`${name} is not as expected: ${message}`)
  }
  /**
   * The text with a stretch of it, or what a global pattern finds, written otherwise: as a text says to the letter, or as a function makes
   * it of the match and its groups. It must stand there as often as said.
   */
  const replace = (text, found, now, times = 1) => {
    let count = 0
    const made = text.replaceAll(found, (...match) => {
      count += 1
      return typeof now === 'string' ? now : now(...match)
    })
    assert(count === times, `${count} times and not ${times}: ${found}`)
    return made
  }
  return { assert, replace }
}

const TOKEN = /[()]|[^\s()]+/g

/** A pattern of an expression of WebAssembly's text form, however it is laid out. */
export const expression = text =>
  new RegExp(
    text
      .match(TOKEN)
      .map(token => token.replace(/[$().]/g, '\\$&'))
      .join('\\s*'),
    'g',
  )

/** Where the expression of WebAssembly's text form that begins at a place ends. */
export function endOf(text, from) {
  let depth = 0
  for (let i = from; ; i++) {
    if (text[i] === '(') depth += 1
    else if (text[i] === ')' && --depth === 0) return i + 1
  }
}
