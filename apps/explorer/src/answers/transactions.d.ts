import { z } from 'zod';
import { Tokens } from '@shardnode/http';
declare const Input: z.ZodObject<{
    txHashRef: z.ZodOptional<z.ZodString>;
    address: z.ZodOptional<z.ZodString>;
    attoCoinAmount: z.ZodOptional<z.ZodString>;
    tokens: z.ZodOptional<z.ZodType<{
        id: string;
        amount: string;
    }[], unknown, z.core.$ZodTypeInternals<{
        id: string;
        amount: string;
    }[], unknown>>>;
    outputRef: z.ZodObject<{
        hint: z.ZodNumber;
        key: z.ZodString;
    }, z.core.$strip>;
    unlockScript: z.ZodOptional<z.ZodString>;
    contractInput: z.ZodBoolean;
}, z.core.$strip>;
declare const AssetOutput: z.ZodObject<{
    hint: z.ZodNumber;
    key: z.ZodString;
    attoCoinAmount: z.ZodString;
    type: z.ZodLiteral<"AssetOutput">;
    address: z.ZodString;
    tokens: z.ZodOptional<z.ZodType<{
        id: string;
        amount: string;
    }[], unknown, z.core.$ZodTypeInternals<{
        id: string;
        amount: string;
    }[], unknown>>>;
    lockTime: z.ZodOptional<z.ZodCustom<string | number, string | number>>;
    message: z.ZodString;
    spent: z.ZodOptional<z.ZodString>;
    fixedOutput: z.ZodBoolean;
}, z.core.$strip>;
declare const Output: z.ZodUnion<readonly [z.ZodObject<{
    hint: z.ZodNumber;
    key: z.ZodString;
    attoCoinAmount: z.ZodString;
    type: z.ZodLiteral<"AssetOutput">;
    address: z.ZodString;
    tokens: z.ZodOptional<z.ZodType<{
        id: string;
        amount: string;
    }[], unknown, z.core.$ZodTypeInternals<{
        id: string;
        amount: string;
    }[], unknown>>>;
    lockTime: z.ZodOptional<z.ZodCustom<string | number, string | number>>;
    message: z.ZodString;
    spent: z.ZodOptional<z.ZodString>;
    fixedOutput: z.ZodBoolean;
}, z.core.$strip>, z.ZodObject<{
    hint: z.ZodNumber;
    key: z.ZodString;
    attoCoinAmount: z.ZodString;
    type: z.ZodLiteral<"ContractOutput">;
    address: z.ZodString;
    tokens: z.ZodOptional<z.ZodType<{
        id: string;
        amount: string;
    }[], unknown, z.core.$ZodTypeInternals<{
        id: string;
        amount: string;
    }[], unknown>>>;
    spent: z.ZodOptional<z.ZodString>;
    fixedOutput: z.ZodBoolean;
}, z.core.$strip>]>;
declare const Transaction: z.ZodObject<{
    chainFrom: z.ZodNumber;
    chainTo: z.ZodNumber;
    gasAmount: z.ZodNumber;
    gasPrice: z.ZodString;
    version: z.ZodNumber;
    networkId: z.ZodNumber;
    hash: z.ZodString;
    blockHash: z.ZodString;
    timestamp: z.ZodCustom<string | number, string | number>;
    inputs: z.ZodType<{
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[], unknown, z.core.$ZodTypeInternals<{
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[], unknown>>;
    outputs: z.ZodType<({
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    } | {
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "ContractOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        spent?: string | undefined;
        fixedOutput: boolean;
    })[], unknown, z.core.$ZodTypeInternals<({
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    } | {
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "ContractOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        spent?: string | undefined;
        fixedOutput: boolean;
    })[], unknown>>;
    scriptOpt: z.ZodNullable<z.ZodString>;
    scriptExecutionOk: z.ZodBoolean;
    inputSignatures: z.ZodType<string[], unknown, z.core.$ZodTypeInternals<string[], unknown>>;
    scriptSignatures: z.ZodType<string[], unknown, z.core.$ZodTypeInternals<string[], unknown>>;
    coinbase: z.ZodBoolean;
    blockHeight: z.ZodNumber;
    txOrder: z.ZodNumber;
}, z.core.$strip>;
export declare const Transactions: z.ZodType<{
    chainFrom: number;
    chainTo: number;
    gasAmount: number;
    gasPrice: string;
    version: number;
    networkId: number;
    hash: string;
    blockHash: string;
    timestamp: string | number;
    inputs: {
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[];
    outputs: ({
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    } | {
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "ContractOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        spent?: string | undefined;
        fixedOutput: boolean;
    })[];
    scriptOpt: string | null;
    scriptExecutionOk: boolean;
    inputSignatures: string[];
    scriptSignatures: string[];
    coinbase: boolean;
    blockHeight: number;
    txOrder: number;
}[], unknown, z.core.$ZodTypeInternals<{
    chainFrom: number;
    chainTo: number;
    gasAmount: number;
    gasPrice: string;
    version: number;
    networkId: number;
    hash: string;
    blockHash: string;
    timestamp: string | number;
    inputs: {
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[];
    outputs: ({
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    } | {
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "ContractOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        spent?: string | undefined;
        fixedOutput: boolean;
    })[];
    scriptOpt: string | null;
    scriptExecutionOk: boolean;
    inputSignatures: string[];
    scriptSignatures: string[];
    coinbase: boolean;
    blockHeight: number;
    txOrder: number;
}[], unknown>>;
declare const MempoolTransaction: z.ZodObject<{
    chainFrom: z.ZodNumber;
    chainTo: z.ZodNumber;
    gasAmount: z.ZodNumber;
    gasPrice: z.ZodString;
    hash: z.ZodString;
    inputs: z.ZodType<{
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[], unknown, z.core.$ZodTypeInternals<{
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[], unknown>>;
    outputs: z.ZodType<{
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    }[], unknown, z.core.$ZodTypeInternals<{
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    }[], unknown>>;
    lastSeen: z.ZodCustom<string | number, string | number>;
}, z.core.$strip>;
export declare const MempoolTransactions: z.ZodType<{
    chainFrom: number;
    chainTo: number;
    gasAmount: number;
    gasPrice: string;
    hash: string;
    inputs: {
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[];
    outputs: {
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    }[];
    lastSeen: string | number;
}[], unknown, z.core.$ZodTypeInternals<{
    chainFrom: number;
    chainTo: number;
    gasAmount: number;
    gasPrice: string;
    hash: string;
    inputs: {
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[];
    outputs: {
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    }[];
    lastSeen: string | number;
}[], unknown>>;
export declare const TransactionByHash: z.ZodUnion<readonly [z.ZodObject<{
    chainFrom: z.ZodNumber;
    chainTo: z.ZodNumber;
    gasAmount: z.ZodNumber;
    gasPrice: z.ZodString;
    version: z.ZodNumber;
    networkId: z.ZodNumber;
    hash: z.ZodString;
    blockHash: z.ZodString;
    timestamp: z.ZodCustom<string | number, string | number>;
    inputs: z.ZodType<{
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[], unknown, z.core.$ZodTypeInternals<{
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[], unknown>>;
    outputs: z.ZodType<({
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    } | {
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "ContractOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        spent?: string | undefined;
        fixedOutput: boolean;
    })[], unknown, z.core.$ZodTypeInternals<({
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    } | {
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "ContractOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        spent?: string | undefined;
        fixedOutput: boolean;
    })[], unknown>>;
    scriptOpt: z.ZodNullable<z.ZodString>;
    scriptExecutionOk: z.ZodBoolean;
    inputSignatures: z.ZodType<string[], unknown, z.core.$ZodTypeInternals<string[], unknown>>;
    scriptSignatures: z.ZodType<string[], unknown, z.core.$ZodTypeInternals<string[], unknown>>;
    coinbase: z.ZodBoolean;
    blockHeight: z.ZodNumber;
    txOrder: z.ZodNumber;
    type: z.ZodLiteral<"Accepted">;
}, z.core.$strip>, z.ZodObject<{
    chainFrom: z.ZodNumber;
    chainTo: z.ZodNumber;
    gasAmount: z.ZodNumber;
    gasPrice: z.ZodString;
    hash: z.ZodString;
    inputs: z.ZodType<{
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[], unknown, z.core.$ZodTypeInternals<{
        txHashRef?: string | undefined;
        address?: string | undefined;
        attoCoinAmount?: string | undefined;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        outputRef: {
            hint: number;
            key: string;
        };
        unlockScript?: string | undefined;
        contractInput: boolean;
    }[], unknown>>;
    outputs: z.ZodType<{
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    }[], unknown, z.core.$ZodTypeInternals<{
        hint: number;
        key: string;
        attoCoinAmount: string;
        type: "AssetOutput";
        address: string;
        tokens?: {
            id: string;
            amount: string;
        }[] | undefined;
        lockTime?: string | number | undefined;
        message: string;
        spent?: string | undefined;
        fixedOutput: boolean;
    }[], unknown>>;
    lastSeen: z.ZodCustom<string | number, string | number>;
    type: z.ZodLiteral<"Pending">;
}, z.core.$strip>]>;
/** protocol 08 §5.6 */
export declare const ScriptFailureAnswer: z.ZodObject<{
    reason: z.ZodNullable<z.ZodString>;
    contract: z.ZodOptional<z.ZodString>;
    place: z.ZodOptional<z.ZodString>;
    failedFunction: z.ZodOptional<z.ZodString>;
    assertionCode: z.ZodOptional<z.ZodString>;
    assertionName: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
export declare const TransactionInfo: z.ZodObject<{
    hash: z.ZodString;
    blockHash: z.ZodString;
    timestamp: z.ZodCustom<string | number, string | number>;
    coinbase: z.ZodBoolean;
}, z.core.$strip>;
export declare const DecodedTransaction: z.ZodObject<{
    fromGroup: z.ZodNumber;
    toGroup: z.ZodNumber;
    unsignedTx: z.ZodObject<{
        gasAmount: z.ZodNumber;
        gasPrice: z.ZodString;
        version: z.ZodNumber;
        networkId: z.ZodNumber;
        hash: z.ZodString;
        scriptOpt: z.ZodNullable<z.ZodString>;
        inputs: z.ZodType<{
            txHashRef?: string | undefined;
            address?: string | undefined;
            attoCoinAmount?: string | undefined;
            tokens?: {
                id: string;
                amount: string;
            }[] | undefined;
            outputRef: {
                hint: number;
                key: string;
            };
            unlockScript?: string | undefined;
            contractInput: boolean;
        }[], unknown, z.core.$ZodTypeInternals<{
            txHashRef?: string | undefined;
            address?: string | undefined;
            attoCoinAmount?: string | undefined;
            tokens?: {
                id: string;
                amount: string;
            }[] | undefined;
            outputRef: {
                hint: number;
                key: string;
            };
            unlockScript?: string | undefined;
            contractInput: boolean;
        }[], unknown>>;
        outputs: z.ZodType<{
            hint: number;
            key: string;
            attoCoinAmount: string;
            type: "AssetOutput";
            address: string;
            tokens: {
                id: string;
                amount: string;
            }[];
            lockTime: string | number;
            message: string;
            fixedOutput: boolean;
        }[], unknown, z.core.$ZodTypeInternals<{
            hint: number;
            key: string;
            attoCoinAmount: string;
            type: "AssetOutput";
            address: string;
            tokens: {
                id: string;
                amount: string;
            }[];
            lockTime: string | number;
            message: string;
            fixedOutput: boolean;
        }[], unknown>>;
    }, z.core.$strip>;
}, z.core.$strip>;
export type TokenAnswer = z.output<typeof Tokens>[number];
export type InputAnswer = z.output<typeof Input>;
export type AssetOutputAnswer = z.output<typeof AssetOutput>;
export type OutputAnswer = z.output<typeof Output>;
export type TransactionAnswer = z.output<typeof Transaction>;
export type MempoolAnswer = z.output<typeof MempoolTransaction>;
export type ScriptFailureForm = z.input<typeof ScriptFailureAnswer>;
export type TransactionInfoAnswer = z.output<typeof TransactionInfo>;
export type DecodedAnswer = z.output<typeof DecodedTransaction>;
export {};
