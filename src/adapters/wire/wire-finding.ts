/** What a finding is about. */
export type WireRule =
  | 'any'
  | 'array-items'
  | 'enum'
  | 'format'
  | 'keyword'
  | 'name'
  | 'nesting'
  | 'open-object'
  | 'property-name'
  | 'recursion'
  | 'reference'
  | 'required'
  | 'root-type'
  | 'root-union'
  | 'size'
  | 'strict-budget'
  | 'tool-count'
  | 'type-list'
  | 'union'

/**
 * One thing that a provider would not take as it stands, and what becomes of it: `adapted`, the adapter sends something else
 * in its place; `not-strict`, the tool is sent without the provider's strict mode; `refused`, nothing can be done about it.
 */
export interface WireFinding {
  /** The tool's own name; empty where it is about all of them. */
  readonly tool: string
  /**
   * JSON pointer into the tool as it was registered: `#/name`, `#/parameters/properties/a`. In a schema that had to be put
   * together from several, where one of them stands, or what they are in; `#` where it is about all tools.
   */
  readonly path: string
  readonly rule: WireRule
  readonly outcome: 'adapted' | 'not-strict' | 'refused'
  /** False where what is sent says less than the tool does. The registry still checks all of it. */
  readonly exact: boolean
  readonly message: string
}
