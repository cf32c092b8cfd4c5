import { PreparedHistogram, type Recorder } from '@shardnode/core/observability';
import { type Registry } from 'prom-client';

/** Milliseconds that a task of the writer waited and ran, by its name. */
export type TaskMeasure = (task: string, waitedMs: number, workedMs: number) => void;

const buckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2];

export const queueMetrics = (registry: Registry): TaskMeasure => {
  const settings = { labelNames: ['task'], buckets, registers: [registry] };
  const wait = new PreparedHistogram({
    name: 'group_node_queue_wait_seconds',
    help: 'Time that a task waited for the writer',
    ...settings,
  });
  const work = new PreparedHistogram({
    name: 'group_node_task_seconds',
    help: 'Time of a task of the writer: import, mine, admit, flush, view and others',
    ...settings,
  });
  // There are few names, all of them constants of this program.
  const recorders = new Map<string, { readonly waited: Recorder; readonly worked: Recorder }>();
  return (task, waitedMs, workedMs) => {
    let recorder = recorders.get(task);
    if (!recorder) recorders.set(task, (recorder = { waited: wait.of({ task }), worked: work.of({ task }) }));
    recorder.waited.observe(waitedMs / 1000);
    recorder.worked.observe(workedMs / 1000);
  };
};
