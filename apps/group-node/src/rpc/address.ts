import { Controller, Inject } from '@nestjs/common';
import {
  type AddressRequest,
  type BalanceReply,
  HandlesGroupRequest,
  type UtxoItem,
  type UtxoPart,
  type UtxoPosition,
} from '@shardnode/messages';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { assetLockupScriptCodec } from '@shardnode/protocol/primitives';
import { type Token } from '@shardnode/protocol/transaction';
import { decodeField } from '../requests/request-fields.js';
import { type AddressBalance } from '../store/index.js';
import { balanceOf } from '../view/address-balance.js';
import { type LeveledOutput } from '../view/address-outputs.js';
import { outputPage, walkOutputs } from '../view/address-pages.js';
import { type NodeReads } from '../view/reads.js';
import { READS } from './tokens.js';

const tokenAmounts = (tokens: readonly Token[]) => tokens.map(({ id, amount }) => ({ id, amount: amount.toString() }));

export const utxoItem = ({ reference, output }: LeveledOutput): UtxoItem => ({
  hint: reference.hint,
  key: reference.key,
  amount: output.amount.toString(),
  tokens: tokenAmounts(output.tokens),
  lockTime: output.lockTime.toString(),
  additionalData: bytesToHex(output.additionalData),
});

const balanceReply = (balance: AddressBalance): BalanceReply => ({
  balance: balance.amount.toString(),
  lockedBalance: balance.lockedAmount.toString(),
  tokenBalances: tokenAmounts(balance.tokens),
  lockedTokenBalances: tokenAmounts(balance.lockedTokens),
  utxoNum: balance.utxoCount,
});

/** Balances and unspent outputs of asset addresses (protocol 02 §3.3). */
@Controller()
export class AddressRpc {
  constructor(@Inject(READS) private readonly node: NodeReads) {}

  @HandlesGroupRequest('read.address.balance')
  async balance(request: AddressRequest & { readonly mempool: boolean }): Promise<BalanceReply> {
    const lockupScript = decodeField(assetLockupScriptCodec, request.lockupScript, 'lockupScript');
    return balanceReply(await balanceOf(this.node, lockupScript, { pool: request.mempool }));
  }

  @HandlesGroupRequest('read.address.utxos')
  async utxos(
    request: AddressRequest & { readonly offset?: number; readonly limit?: number },
  ): Promise<{ readonly utxos: readonly UtxoItem[]; readonly more?: true }> {
    const lockupScript = decodeField(assetLockupScriptCodec, request.lockupScript, 'lockupScript');
    const { outputs, more } = await outputPage(this.node, lockupScript, request);
    return { utxos: outputs.map(utxoItem), ...(more ? { more } : {}) };
  }

  @HandlesGroupRequest('read.address.walk')
  async walk(
    request: AddressRequest & { readonly part: UtxoPart; readonly after?: UtxoPosition },
  ): Promise<{ readonly utxos: readonly UtxoItem[]; readonly next?: UtxoPosition }> {
    const lockupScript = decodeField(assetLockupScriptCodec, request.lockupScript, 'lockupScript');
    const { outputs, next } = await walkOutputs(this.node, lockupScript, request);
    return { utxos: outputs.map(utxoItem), ...(next ? { next } : {}) };
  }
}
