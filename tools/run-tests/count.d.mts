export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
export declare const countsByFile: (report: string | undefined) => Map<string, Counts> | undefined;
export declare const failedFiles: (files: ReadonlyMap<string, Counts> | undefined) => string[];
export declare const sumOf: (files: ReadonlyMap<string, Counts> | undefined, succeeded: boolean) => Counts;
