import { Controller, Inject } from '@nestjs/common';
import { type AddressRequest, type BalanceReply, HandlesGroupRequest, type UtxoItem } from '@shardnode/messages';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { assetLockupScriptCodec } from '@shardnode/protocol/primitives';
import { type Token } from '@shardnode/protocol/transaction';
import { decodeField } from '../building/request-fields.js';
import { type GroupNode } from '../group-node.js';
import { balanceOf } from '../view/address-balance.js';
import { type LeveledOutput, unspentOf } from '../view/address-outputs.js';
import { NODE } from './node-token.js';

const tokenAmounts = (tokens: readonly Token[]) => tokens.map(({ id, amount }) => ({ id, amount: amount.toString() }));

export const utxoItem = ({ reference, output }: LeveledOutput): UtxoItem => ({
  hint: reference.hint,
  key: reference.key,
  amount: output.amount.toString(),
  tokens: tokenAmounts(output.tokens),
  lockTime: output.lockTime.toString(),
  additionalData: bytesToHex(output.additionalData),
});

/** Balances and unspent outputs of asset addresses (protocol 02 §3.3). */
@Controller()
export class AddressRpc {
  constructor(@Inject(NODE) private readonly node: GroupNode) {}

  @HandlesGroupRequest('read.address.balance')
  async balance(request: AddressRequest & { readonly mempool: boolean }): Promise<BalanceReply> {
    const lockupScript = decodeField(assetLockupScriptCodec, request.lockupScript, 'lockupScript');
    const balance = await balanceOf(this.node, lockupScript, { pool: request.mempool });
    return {
      balance: balance.amount.toString(),
      lockedBalance: balance.lockedAmount.toString(),
      tokenBalances: tokenAmounts(balance.tokens),
      lockedTokenBalances: tokenAmounts(balance.lockedTokens),
      utxoNum: balance.utxoCount,
    };
  }

  @HandlesGroupRequest('read.address.utxos')
  async utxos(
    request: AddressRequest & { readonly offset?: number; readonly limit?: number },
  ): Promise<{ readonly utxos: readonly UtxoItem[] }> {
    const lockupScript = decodeField(assetLockupScriptCodec, request.lockupScript, 'lockupScript');
    const { offset = 0, limit = Number.POSITIVE_INFINITY } = request;
    const outputs = await unspentOf(this.node, lockupScript, { pool: true });
    return { utxos: outputs.slice(offset, offset + limit).map(utxoItem) };
  }
}
