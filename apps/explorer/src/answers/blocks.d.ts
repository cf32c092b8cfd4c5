import { z } from 'zod';
export declare const chainMembers: {
    chainFrom: z.ZodNumber;
    chainTo: z.ZodNumber;
};
/** protocol 08 §5.4 */
declare const BlockLite: z.ZodObject<{
    chainFrom: z.ZodNumber;
    chainTo: z.ZodNumber;
    hash: z.ZodString;
    timestamp: z.ZodCustom<string | number, string | number>;
    height: z.ZodNumber;
    txNumber: z.ZodNumber;
    mainChain: z.ZodBoolean;
    hashRate: z.ZodString;
}, z.core.$strip>;
export declare const Blocks: z.ZodObject<{
    total: z.ZodNumber;
    blocks: z.ZodType<{
        chainFrom: number;
        chainTo: number;
        hash: string;
        timestamp: string | number;
        height: number;
        txNumber: number;
        mainChain: boolean;
        hashRate: string;
    }[], unknown, z.core.$ZodTypeInternals<{
        chainFrom: number;
        chainTo: number;
        hash: string;
        timestamp: string | number;
        height: number;
        txNumber: number;
        mainChain: boolean;
        hashRate: string;
    }[], unknown>>;
}, z.core.$strip>;
export declare const Block: z.ZodObject<{
    chainFrom: z.ZodNumber;
    chainTo: z.ZodNumber;
    hash: z.ZodString;
    timestamp: z.ZodCustom<string | number, string | number>;
    height: z.ZodNumber;
    txNumber: z.ZodNumber;
    mainChain: z.ZodBoolean;
    hashRate: z.ZodString;
    deps: z.ZodType<string[], unknown, z.core.$ZodTypeInternals<string[], unknown>>;
    nonce: z.ZodString;
    version: z.ZodNumber;
    depStateHash: z.ZodString;
    txsHash: z.ZodString;
    target: z.ZodString;
    parent: z.ZodNullable<z.ZodString>;
}, z.core.$strip>;
export declare const BlocksOfHeights: z.ZodType<{
    chainFrom: number;
    chainTo: number;
    hash: string;
    timestamp: string | number;
    height: number;
    txNumber: number;
    mainChain: boolean;
    hashRate: string;
    deps: string[];
    nonce: string;
    version: number;
    depStateHash: string;
    txsHash: string;
    target: string;
    parent: string | null;
}[], unknown, z.core.$ZodTypeInternals<{
    chainFrom: number;
    chainTo: number;
    hash: string;
    timestamp: string | number;
    height: number;
    txNumber: number;
    mainChain: boolean;
    hashRate: string;
    deps: string[];
    nonce: string;
    version: number;
    depStateHash: string;
    txsHash: string;
    target: string;
    parent: string | null;
}[], unknown>>;
export type BlockLiteAnswer = z.input<typeof BlockLite>;
export type BlockAnswer = z.input<typeof Block>;
export {};
