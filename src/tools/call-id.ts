declare const callIdBrand: unique symbol
declare const scopeIdBrand: unique symbol

/** The id of one call: whatever the caller gave, unique among the calls that run at a time. */
export type CallId = string & { readonly [callIdBrand]: true }

/** Marks a string as a call id. */
export const CallId = (id: string): CallId => id as CallId

/** The id of a scope. The registry itself is `root`. */
export type ScopeId = string & { readonly [scopeIdBrand]: true }

/** Marks a string as a scope id. */
export const ScopeId = (id: string): ScopeId => id as ScopeId
