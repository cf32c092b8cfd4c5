export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
export interface Row extends Counts {
  readonly name: string;
  readonly seconds: number;
  readonly cached: boolean;
}
export interface Task {
  readonly taskId: string;
  readonly status: number;
  readonly startTime: string;
  readonly endTime: string;
  readonly cacheStatus: string;
}
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    /** Milliseconds since 1970. */
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
export declare const rowOf: (task: Task, report: Report | undefined, output?: string) => Row;
export declare const sumOf: (rows: readonly Counts[], succeeded: boolean) => Counts;
export declare const failuresOf: (task: Task, report: Report | undefined, output?: string) => string[];
export declare const failedTestsOf: (task: Task, report: Report | undefined, output?: string) => string[];
export interface FileRow extends Counts {
  /** `e2e:faults` */
  readonly task: string;
  readonly name: string;
  readonly seconds: number;
}
export declare const fileRowsOf: (
  results: readonly { readonly task: Task; readonly report: Report | undefined }[],
) => FileRow[];
