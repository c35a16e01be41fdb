/** The type of a node under so many arrays. */
export type Nest<
  N extends number,
  S = { readonly type: 'string' },
  L extends 0[] = [],
> = L['length'] extends N ? S : Nest<N, { readonly type: 'array'; readonly items: S }, [...L, 0]>
/** What is under sixteen arrays. */
export type Innermost<T, L extends 0[] = []> = L['length'] extends 16
  ? T
  : T extends (infer I)[]
    ? Innermost<I, [...L, 0]>
    : never
