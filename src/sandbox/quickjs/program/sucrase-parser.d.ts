// What is used of the parts of sucrase that its package does not declare. It imports nothing, as tools read it beside the sources.
declare module 'sucrase/dist/parser/index.js' {
  /** Throws an error with the `pos` of what it does not take. */
  export function parse(
    text: string,
    jsx: boolean,
    typescript: boolean,
    flow: boolean,
  ): { readonly tokens: readonly unknown[]; readonly scopes: readonly unknown[] }
}
declare module 'sucrase/dist/parser/tokenizer/types.js' {
  export const TokenType: { readonly [name: string]: number }
}
declare module 'sucrase/dist/parser/traverser/base.js' {
  interface Base {
    /** Of the text read last; there is none before the first. */
    readonly state?: { readonly error: Error | null } | undefined
  }
  export const state: Base['state']
  const base: Base | undefined
  export default base
}
declare module 'sucrase/dist/parser/tokenizer/index.js' {
  export const IdentifierRole: { readonly [name: string]: number }
}
declare module 'sucrase/dist/parser/tokenizer/keywords.js' {
  export const ContextualKeyword: { readonly [name: string]: number }
}
