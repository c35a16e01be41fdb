/** A small repeatable source of choices. */
function choices(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + 0x9e3779b9) >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Part = () => string

/** A random program of TypeScript, with blanks, comments and line ends in odd places or with none at all. */
export function randomProgram(seed: number): string {
  const below = choices(seed)
  const pick = <T>(...of: readonly T[]): T => of[below(of.length)] as T
  const some = (...parts: readonly Part[]): string => pick(...parts)()
  let left = 30 + below(50)
  const leaf = (): boolean => {
    left -= 1
    return left < 0
  }
  const style = below(3)
  /** Between what needs nothing between it. */
  const _ = (): string =>
    style === 0
      ? ''
      : style === 1
        ? pick('', '', ' ')
        : pick('', '', ' ', ' ', '\n', '/**/', '//c\n', ' /*\n*/ ')
  /** Between words. */
  const s = (): string => (style < 2 ? ' ' : pick(' ', ' ', ' ', '\n', '/**/', '//c\n', '\t'))
  /** Between words of one line. */
  const l = (): string => (style < 2 ? ' ' : pick(' ', '/**/', '\t'))
  const name = (): string =>
    pick('a', 'b', 'c', 'x', 'get', 'type', 'as', 'satisfies', 'of', 'async', 'declare', 'from', 'module')
  const local = (): string => pick('a', 'b', 'c', 'x', 'y', 'k')
  const list = (part: Part, most: number, between = ','): string =>
    Array.from({ length: below(most + 1) }, part).join(`${_()}${between}${_()}`)

  const type = (): string => {
    if (leaf()) return pick('T', 'any', 'number')
    return some(
      () =>
        pick(
          'any',
          'number',
          'string',
          'T',
          "'t'",
          '1',
          'null',
          'undefined',
          'this',
          'void',
          'unique symbol',
        ),
      () => `${type()}[]`,
      () => `A${_()}<${_()}${type()}${_()}>`,
      () => `A<B<${type()}>>`,
      () => `${type()}${_()}|${_()}${type()}`,
      () => `(${params()})${_()}=>${_()}${type()}`,
      () => `{${_()}a${_()}:${_()}${type()}${pick(';', ',', '\n')}b?(): ${type()}${_()}}`,
      () => `{${_()}readonly [k in keyof T]?: ${type()}}`,
      () => `[${type()},${_()}...${type()}[]]`,
      () => `typeof ${local()}`,
      () => `keyof ${type()}`,
      () => `T extends ${pick('A', 'infer U')} ? ${type()} : ${type()}`,
      () => `\`a\${${type()}}b\``,
      () => `new () => ${type()}`,
      () => `import('m'${pick('', ", { with: { 'a': 'b' } }")}).A${pick('', '<T>')}`,
    )
  }
  const annotation = (): string => pick('', '', `${_()}:${_()}${type()}`)
  const param = (): string =>
    some(
      () => `${local()}${pick('', '?')}${annotation()}`,
      () => `${local()}${annotation()}${_()}=${_()}${value()}`,
      () => `{${_()}a${_()},${_()}b:${_()}c${_()}}${annotation()}`,
    )
  const params = (): string =>
    pick(list(param, 2), `this: ${type()}, ${param()}`, `...${local()}${annotation()}`)
  const generics = (): string => pick('', '', `<${_()}T${_()}>`, '<T extends A = B>', '<T,>', '<const T>')
  const returns = (): string =>
    pick('', '', `${_()}:${_()}${type()}`, ': a is T', ': asserts a', ': asserts a is T')
  const block = (): string => `{${_()}${list(statement, 2, '\n')}${_()}}`
  const args = (): string => `(${list(value, 2)})`
  const arrow = (): string => {
    const head = some(
      () => local(),
      () => `${pick('', 'async', `async${l()}`)}${generics()}(${params()})${returns()}`,
    )
    return `${head}${pick('', ' ')}=>${_()}${pick(`(${value()})`, block(), primary())}`
  }
  const primary = (): string => {
    if (leaf()) return pick('a', '1', "'s'")
    return some(
      () =>
        pick('a', 'b', 'x', '1', '.5', '1_0', "'s'", '"t"', 'this', 'null', '/r/g', '/[/]/.source', '0x1n'),
      () => `(${value()})`,
      () => `[${list(value, 2)}]`,
      () => `\`a\${${value()}}b\``,
      () => `(${_()}<${type()}>${_()}${primary()})`,
      () => `(() => <${type()}>{a: ${value()}})`,
      () => `(${value()}${l()}as${l()}${pick('const', type())})`,
      () =>
        `{${_()}a${_()}:${_()}${value()}, b${generics()}(${params()})${returns()}${block()}, get c()${annotation()}{return 1}}`,
      () =>
        `{ ${pick('', 'async ')}${pick('async', 'get', 'type')}${generics()}(${params()})${returns()}${block()} }`,
      () => `function${pick('', '*', ' f')}${generics()}(${params()})${returns()}${block()}`,
      () => `(${arrow()})`,
      () => `(class${pick('', ' K')}${classRest()})`,
      () => `new${s()}A${pick('', `<${type()}>`)}${pick('', args())}`,
    ).replace(/^\{.*$/s, '($&)')
  }
  const member = (): string => {
    if (leaf()) return primary()
    return some(
      primary,
      () => `${primary()}${_()}${pick('.', '?.', '!.', '!?.')}${_()}${name()}`,
      () => `${primary()}${pick('', '!', '?.')}[${value()}]`,
      () => `${local()}${pick('', '!', '?.')}${pick('', `<${type()}>`)}${args()}`,
      () => `${local()}${pick('', `<${type()}>`)}\`t\``,
      () => `${local()}!`,
    )
  }
  const unary = (): string =>
    some(
      member,
      member,
      () =>
        `${pick('-', '+', '!', '~', '--', '++', 'typeof ', 'void ', 'delete ')}${pick(member(), local())}`,
      () => `${pick('typeof', 'void', '-', '!')}<${type()}>${_()}${member()}`,
      () => `<${type()}>${_()}${member()}`,
      () => `${local()}${pick('', '!')}${pick('++', '--')}`,
    )
  const cast = (): string => `${unary()}${l()}${pick('as', 'satisfies')}${s()}${type()}`
  const value = (): string => {
    if (leaf()) return pick('a', '1')
    return some(
      unary,
      cast,
      arrow,
      () =>
        `${value()}${_()}${pick('+', '-', '*', '/', '<', '>', '==', '&&', '||', '>>', '<=', '>=', '<<')}${_()}${unary()}`,
      () => `${value()}${s()}${pick('in', 'instanceof')}${s()}${unary()}`,
      () => `${unary()}${_()}?${_()}${value()}${_()}:${_()}${value()}`,
      // What stands in parentheses may be the parameters of an arrow function, and what follows the colon its type.
      () =>
        `${local()}${_()}?${_()}${pick('', '', 'async ', 'b => ')}(${pick(local(), list(value, 2), params())})${_()}:${_()}${pick(arrow(), arrow(), value())}`,
      // What stands between these may be type arguments.
      () =>
        `${local()}${_()}<${_()}${pick(cast(), type(), value())}${_()}>${_()}${pick(`(${value()})`, value())}`,
      () =>
        `${unary()}${_()}${pick('+', '*', '<', '<<', '**')}${_()}${cast()}${_()}${pick('+', '*', '>', '>>', '-')}${_()}${unary()}`,
      () => `f(${local()}${_()}<${_()}${cast()}, ${value()}${_()}>${_()}(${value()}))`,
      () => `${cast()}${_()}${pick('<', '<=', '<<', '>', '>=', '>>', '==', '?', '&&')}${_()}${unary()}`,
      () =>
        `${local()}<${type()}>${_()}${pick('+', '-', '*', '/', '.', '?', '[', ' in ', ' as ', '==', '`t`', ',')}${unary()}`,
      () =>
        `${pick('a', 'a!', '(a as any)', 'a.b', '(<any>a).b')}${_()}${pick('=', '+=', '??=', '||=')}${_()}${value()}`,
    )
  }
  const modifiers = (): string =>
    pick('', '', 'public ', 'private ', 'readonly ', 'static ', 'protected static readonly ', 'override ')
  const key = (): string =>
    pick('a', 'b', 'get', 'set', 'static', '[x]', "'k'", '1', '#p', 'async', 'type', 'declare')
  const classMember = (): string =>
    some(
      () =>
        `${modifiers()}${pick(key(), `${local()}${pick('?', '!')}${_()}:${_()}${type()}`)}${pick('', `${_()}=${_()}${value()}`)}${pick(';', '\n')}`,
      () =>
        `${modifiers()}${pick('', 'async ', '*', 'async *')}${key()}${generics()}(${params()})${returns()}${block()}`,
      () => `${key()}(${params()})${returns()}${pick(';', '\n')}${key()}(${params()})${returns()}${block()}`,
      () => `${pick('', 'static ')}${key()}${pick('?', '!', '')}${annotation()}${pick(';', '\n')}`,
      () => `${pick('', 'static ')}[k: string]: ${type()}${pick(';', '\n')}`,
      () =>
        `${pick('declare ', 'declare readonly ', 'abstract ', 'protected abstract ')}${local()}${annotation()}${pick(';', '\n')}`,
      () => `abstract m(${params()})${returns()}${pick(';', '\n')}`,
      () => `get g()${annotation()}{return 1}`,
      () => `static${_()}${block()}`,
    )
  const classRest = (): string => {
    const base = pick('', ` extends${s()}A`, ` extends${s()}A<${type()}>`)
    const made = pick(
      '',
      `constructor(${pick('private ', 'readonly ', 'public readonly ')}p${annotation()}, ${param()}){${base === '' ? '' : `super(a)${pick(';', '\n')}`}${list(statement, 2, '\n')}}`,
      `constructor(a);constructor(${params()}){${base === '' ? '' : 'super()\n'}}`,
    )
    return `${generics()}${base}${pick('', ' implements I', ' implements I<T>, J')}${_()}{${list(classMember, 2, '\n')}${made}${pick('', `\n${classMember()}`)}}`
  }
  const types = (): string =>
    some(
      () => `type${l()}${name()}${generics()}${_()}=${_()}${type()}`,
      () =>
        `interface${l()}${pick('I', 'as', 'satisfies')}${generics()}${pick('', ' extends J')}${_()}{${_()}a: ${type()}\nb(): ${type()}${_()}}`,
      () =>
        `declare${l()}${pick(`const q: ${type()}`, 'function q(): void', 'class Q { a: 1 }', 'namespace N { const x: 1 }', 'let q')}`,
      () => `namespace${l()}N${pick('', '.M')}${_()}{${_()}export type B = ${type()}${_()}}`,
      () =>
        `function f(${params()})${returns()}${pick(';', '\n')}function f(${params()})${returns()}${block()}`,
      () => `import type { A } from 'a'`,
      () => `declare${l()}enum${l()}E {${_()}a${_()}=${_()}${value()}${_()}}`,
    )
  const statement = (): string => {
    if (leaf()) return 'a'
    const made = some(
      value,
      value,
      types,
      types,
      () =>
        `${pick('let', 'const', 'var')}${s()}${local()}${pick('', '!')}${annotation()}${_()}=${_()}${value()}`,
      () => `let${s()}${local()}${pick('', '!')}${annotation()}`,
      () => `return${l()}${value()}`,
      () => `return<${type()}>${_()}${member()}`,
      () => `throw${pick(l(), `<${type()}>`)}${value()}`,
      () => `if${_()}(${value()})${_()}${statement()}${pick('', `\nelse${s()}${value()}`)}`,
      () => `for${_()}(${pick('const', 'let')} ${local()} of ${value()})${_()}${block()}`,
      () => `for(let a${annotation()}=${value()};${value()};${value()})${block()}`,
      () => `switch(${value()}){case${pick(' ', '')}${value()}:${statement()}}`,
      () => `try${block()}catch${_()}(e${annotation()})${block()}`,
      () =>
        `${pick('', 'async ')}function${pick(' ', '* ')}f${generics()}(${params()})${returns()}${block()}`,
      () => `${pick('', 'abstract ')}class K${classRest()}`,
      () => `(${value()}).b`,
      () => `[${value()}][0]`,
      () => `\`t\``,
    )
    return `${made}${style === 0 ? ';' : pick(';', ';', '\n')}`
  }
  return Array.from({ length: 1 + below(4) }, statement).join(_())
}
