// Shares jobs out to worker threads, as many as there are processors.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job, JobResult } from './jobs.ts';

export class Pool {
  readonly #workers: readonly Worker[];

  constructor(threads = availableParallelism()) {
    const script = new URL('./worker.ts', import.meta.url);
    this.#workers = Array.from({ length: threads }, () => new Worker(script));
  }

  /**
   * Carries out all jobs; the results are in the order of the jobs.
   * @throws Error if a worker dies, naming its job
   */
  run = async (jobs: readonly Job[]): Promise<readonly JobResult[]> => {
    const results: JobResult[] = [];
    const queue = jobs.entries();
    const work = async (worker: Worker): Promise<void> => {
      for (const [index, job] of queue) results[index] = await ask(worker, job);
    };
    await Promise.all(this.#workers.map(work));
    return results;
  };

  close = async (): Promise<void> => {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  };
}

function ask(worker: Worker, job: Job): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void =>
      reject(new Error(`a worker died at ${JSON.stringify(job)}: ${String(error)}`, { cause: error }));
    worker.once('error', fail);
    worker.once('message', (result: JobResult) => {
      worker.off('error', fail);
      resolve(result);
    });
    worker.postMessage(job);
  });
}
