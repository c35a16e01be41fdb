/** Where an answer is wanted at once, a promise is none: its rejection must not become the process's. */
export function dropRejection(answer: unknown): void {
  void Promise.resolve(answer).catch(() => {})
}
