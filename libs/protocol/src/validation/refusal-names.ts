import { type FailureName } from '../vm/index.js';

/** Why the rules refuse a transaction (protocol 02 §9, 07 appendix C). */
export type TransactionRefusalName =
  | 'BalanceOverFlow'
  | 'ContractInputForInterGroupTx'
  | 'ExecutionAborted'
  | 'GeneratedOutputForInterGroupTx'
  | 'InvalidCoinBalance'
  | 'InvalidContractInputs'
  | 'InvalidGasPrice'
  | 'InvalidGeneratedOutputs'
  | 'InvalidInputGroupIndex'
  | 'InvalidNetworkId'
  | 'InvalidNumberOfPublicKey'
  | 'InvalidOutputGroupIndex'
  | 'InvalidOutputStats'
  | 'InvalidP2mpkhUnlockScript'
  | 'InvalidPublicKeyHash'
  | 'InvalidRemainingBalancesForFailedScriptTx'
  | 'InvalidScriptExecutionFlag'
  | 'InvalidScriptHash'
  | 'InvalidSignature'
  | 'InvalidStartGas'
  | 'InvalidTokenBalance'
  | 'InvalidTxVersion'
  | 'InvalidUnlockScriptType'
  | 'NoOutputs'
  | 'NonExistInput'
  | 'NotEnoughSignature'
  | 'OutOfGas'
  | 'OutputDataSizeExceeded'
  | 'TimeLockedTx'
  | 'TooManyInputSignatures'
  | 'TooManyInputs'
  | 'TooManyKeysInMultisig'
  | 'TooManyOutputs'
  | 'TooManyScriptSignatures'
  | 'TxDoubleSpending'
  | 'TxScriptExeFailed'
  | 'UnexpectedScriptSignatures'
  | 'UnexpectedTxScript'
  | 'UnlockScriptExeFailed'
  | 'UsingBreakingInstrs';

/** Why the rules refuse a header, a block or its coinbase (protocol 02 §12.4, 03 §6); no client meets them. */
export type BlockRefusalName =
  | 'BlockDoubleSpending'
  | 'EarlierThanLaunchTimeStamp'
  | 'EmptyTransactionList'
  | 'ExistInvalidTx'
  | 'InvalidBlockHeight'
  | 'InvalidBlockVersion'
  | 'InvalidCoinbaseData'
  | 'InvalidCoinbaseFormat'
  | 'InvalidCoinbaseLockedAmount'
  | 'InvalidCoinbaseLockupPeriod'
  | 'InvalidCoinbaseReward'
  | 'InvalidDepStateHash'
  | 'InvalidDepsIndex'
  | 'InvalidDepsNum'
  | 'InvalidFlowTxs'
  | 'InvalidGroup'
  | 'InvalidHeaderFlow'
  | 'InvalidPoW'
  | 'InvalidTxsMerkleRoot'
  | 'InvalidUncleTimeStamp'
  | 'InvalidWorkAmount'
  | 'InvalidWorkTarget'
  | 'MissingDeps'
  | 'NoIncreasingTimeStamp'
  | 'TargetBelowRewardLimit'
  | 'TooAdvancedTimeStamp'
  | 'TooManyTransactions'
  | 'TooMuchGasUsed'
  | 'TxGasPriceNonDecreasing';

/** Why a node refuses what it receives before it asks the rules. */
export type IntakeRefusalName =
  | 'DependsOnRefused'
  | 'IncomingShareFull'
  | 'IncomingTooLarge'
  | 'InvalidFlowChainIndex'
  | 'InvalidSender'
  | 'MempoolFull'
  | 'StateNotAvailable'
  | 'Undecodable';

/** Why a transaction leaves a mempool, besides refusals of the rules (protocol 02 §13.5). */
export type PoolRefusalName = 'DoubleSpending' | 'Expired';

/** Every name of a refusal, and of a failure that is the reason of one (protocol 05 §12.4). */
export type RefusalName = TransactionRefusalName | BlockRefusalName | IntakeRefusalName | PoolRefusalName | FailureName;
