/**
 * A worker as `quickJsWorkerRuntime` speaks to it: a `Worker` of `node:worker_threads`, which has `on`, or a Web Worker, which
 * has `addEventListener`.
 */
export interface WorkerLike {
  postMessage(message: unknown): void
  terminate(): unknown
  on?(event: string, listener: (value: any) => void): unknown
  addEventListener?(type: string, listener: (event: any) => void): void
  ref?(): unknown
  unref?(): unknown
}

/** Where workers come from: the URL of `toolgate/quickjs-worker-script`, or a function that starts one of that script. */
export type WorkerSource = string | URL | (() => WorkerLike | Promise<WorkerLike>)
