import { type Logger } from '@shardnode/core/observability';
import { readBuiltTransaction, type WalletRequests } from '@shardnode/messages';
import {
  type BuiltDifference,
  checkBuiltSweep,
  checkBuiltTransfer,
  type Destination,
  type Sender,
} from '@shardnode/protocol/building';
import { decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { assetLockupScriptCodec, minGasPrice } from '@shardnode/protocol/primitives';
import { transactionId, transactionTemplateCodec, type UnsignedTransaction } from '@shardnode/protocol/transaction';
import { type UnlockedWallet, type WalletAddress } from './keys/unlocked-wallet.js';
import { type SignedTransaction } from './signed-transactions.js';
import { type SigningMeasures } from './signing-metrics.js';
import { builtTransactionDiffers } from './wallet-errors.js';

type TransferRequest = WalletRequests['transfer']['request'];
type SweepRequest = WalletRequests['sweep-all-addresses']['request'];
type Check = (unsigned: UnsignedTransaction) => BuiltDifference | undefined;

const senderOf = ({ lockupScript, publicKey }: WalletAddress): Sender => ({
  lockupScript,
  unlockScript: { kind: 'p2pkh', publicKey },
});
const destinationOf = (item: TransferRequest['destinations'][number]): Destination => ({
  lockupScript: decode(assetLockupScriptCodec, hexToBytes(item.lockupScript)),
  amount: BigInt(item.amount),
  tokens: item.tokens.map(({ id, amount }) => ({ id, amount: BigInt(amount) })),
  lockTime: item.lockTime === undefined ? undefined : BigInt(item.lockTime),
  message: item.message === undefined ? undefined : hexToBytes(item.message),
});
const gasPriceOf = ({ gasPrice }: { readonly gasPrice?: string }): bigint =>
  gasPrice === undefined ? minGasPrice : BigInt(gasPrice);

/**
 * Signs what group-nodes built, if it does what was asked and nothing else (docs/security.md). A group-node that is
 * taken over gets no signature under anything of its own.
 */
export class Signing {
  constructor(
    private readonly networkId: number,
    private readonly logger: Logger,
    private readonly measures: SigningMeasures,
  ) {}

  /** @throws ServiceError `WalletLocked`, `BuiltTransactionDiffers` */
  transfer(
    wallet: UnlockedWallet,
    address: WalletAddress,
    request: TransferRequest,
    unsignedTx: Uint8Array,
  ): SignedTransaction {
    const { networkId } = this;
    const { gasAmount, gasFormula, unminable } = request;
    const destinations = request.destinations.map(destinationOf);
    const gasPrice = gasPriceOf(request);
    const sender = senderOf(address);
    const asked = { networkId, sender, destinations, gasAmount, gasPrice, gasFormula, unminable };
    return this.signed(wallet, address, unsignedTx, (unsigned) => checkBuiltTransfer(unsigned, asked));
  }

  /** One transaction of a sweep. @throws ServiceError `WalletLocked`, `BuiltTransactionDiffers` */
  sweep(
    wallet: UnlockedWallet,
    address: WalletAddress,
    request: SweepRequest,
    unsignedTx: Uint8Array,
  ): SignedTransaction {
    const { networkId } = this;
    const { gasAmount, unminable } = request;
    const destination = decode(assetLockupScriptCodec, hexToBytes(request.destination));
    const lockTime = request.lockTime === undefined ? undefined : BigInt(request.lockTime);
    const gasPrice = gasPriceOf(request);
    const sender = senderOf(address);
    const asked = { networkId, sender, destination, lockTime, gasAmount, gasPrice, unminable };
    return this.signed(wallet, address, unsignedTx, (unsigned) => checkBuiltSweep(unsigned, asked));
  }

  private signed(
    wallet: UnlockedWallet,
    address: WalletAddress,
    unsignedTx: Uint8Array,
    check: Check,
  ): SignedTransaction {
    const unsigned = this.checked(address, unsignedTx, check);
    const txId = transactionId(unsigned);
    const inputSignatures = [wallet.sign(address.index, hexToBytes(txId))];
    const template = encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
    return { txId, unsigned, template };
  }

  private checked({ group }: WalletAddress, unsignedTx: Uint8Array, check: Check): UnsignedTransaction {
    const unsigned = readBuiltTransaction(unsignedTx);
    const part = unsigned ? check(unsigned) : 'encoding';
    if (unsigned && part === undefined) return unsigned;
    this.measures.refused(part!);
    this.logger.error({ group, part }, 'transaction of a group-node not signed');
    throw builtTransactionDiffers(group, part!);
  }
}
