/**
 * Takes any result as it is, for a client's `request`: Zod to v1 of the SDK, a Standard Schema to v2. The SDK's own
 * schemas lose a whole list for one bad tool.
 */
export const anyResult: object = {
  safeParse: (data: unknown) => ({ success: true, data }),
  '~standard': { version: 1, vendor: 'toolgate', validate: (value: unknown) => ({ value }) },
}

/** What v1 of the SDK reads a method's name from. */
const methodSchema = (method: string): object => ({
  shape: { method: { value: method } },
  safeParse: (data: unknown) => ({ success: true, data }),
})

interface Handlers {
  setNotificationHandler?(...args: any[]): void
  setRequestHandler?(...args: any[]): void
}

/** Sets a handler by the method's name as v2 has it, or by a schema as v1 does. */
export function onNotification(peer: Handlers, method: string, handler: () => void): void {
  try {
    peer.setNotificationHandler?.(method, handler)
  } catch {
    peer.setNotificationHandler?.(methodSchema(method), handler)
  }
}

/** The same for requests. */
export function onRequest(
  peer: Handlers,
  method: string,
  handler: (request: any, extra: any) => unknown,
): void {
  try {
    peer.setRequestHandler?.(method, handler)
  } catch {
    peer.setRequestHandler?.(methodSchema(method), handler)
  }
}
