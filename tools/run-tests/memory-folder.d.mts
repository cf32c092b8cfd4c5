export declare const makeMemoryFolder: (memory?: string) => string | undefined;
