import { canonicalJson, type JsonObject } from '../../index.js'
import type { McpToolListing } from './read-listing.js'

/** What a definition says to models and policies, as one short text: `sha256:` and 64 hexadecimal digits. */
export async function fingerprint(listing: McpToolListing): Promise<string> {
  const { name, title, description, inputSchema, outputSchema, annotations } = listing
  const said = { name, title, description, inputSchema, outputSchema, annotations }
  const present = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  const bytes = new TextEncoder().encode(canonicalJson(present as JsonObject))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')}`
}
