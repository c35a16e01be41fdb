const SHOWN = 80

/** A name in quotes, cut where it is long, control characters escaped. */
export const quoted = (name: string): string =>
  JSON.stringify(name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name)
