import { type Readable } from 'node:stream';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { type ServiceError } from '@shardnode/core/errors';
import { scriptHex } from '@shardnode/http';
import { type ContractAssetReply, GroupClient, groupOfContractId, groupOfScript } from '@shardnode/messages';
import { zeroHash, type LockupScript } from '@shardnode/protocol/primitives';
import { contractOfGroupUnknown, contractUnknown, endsInNoGroup } from '../contracts/contract-errors.js';
import { Operation } from '../operations/operation.js';
import { orNotFound } from '../operations/or-not-found.js';
import { ApiSettings } from '../settings/api-settings.js';
import { AddressPath, Balance, BalanceQuery, Group, Utxos, UtxosQuery } from './addresses.schemas.js';
import { type BalanceAnswer, balanceForm } from './balance-forms.js';
import { UtxoPages, type UtxosAnswer } from './utxo-pages.js';

/** The contract of id zero is in the initial state of every group, as an empty entry (protocol 07 §1.5). */
const isZeroContract = (script: LockupScript): boolean => script.kind === 'p2c' && script.contractId === zeroHash;

type Path = z.output<typeof AddressPath>;
type Contract = Extract<LockupScript, { kind: 'p2c' }>;

/** Protocol 07 §6. */
@ApiTags('Addresses')
@Controller('addresses')
export class AddressesController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly groups: GroupClient,
    private readonly utxoPages: UtxoPages,
  ) {}

  @Operation({
    role: 'read',
    summary: 'Group of an address',
    description: 'Of a contract it is told only while the contract is there.',
    answer: Group,
    codes: ['ContractNotFound'],
  })
  @Get(':address/group')
  async group(
    @Param({ schema: AddressPath }) { address: { text, lockupScript } }: Path,
  ): Promise<z.output<typeof Group>> {
    if (isZeroContract(lockupScript)) return { group: 0 };
    if (lockupScript.kind !== 'p2c') return { group: this.groupOf(text, lockupScript) };
    const { contractId } = lockupScript;
    const { groups } = this.settings.network;
    const unknown = (): ServiceError => contractOfGroupUnknown({ text, lockupScript }, groups);
    const group = groupOfContractId(contractId, groups);
    if (group === undefined) throw unknown();
    await orNotFound(this.groups.request(group, 'read.contract.asset', { contractId }), unknown);
    return { group };
  }

  @Operation({ role: 'read', summary: 'Balance of an address', answer: Balance, codes: ['ContractNotFound'] })
  @Get(':address/balance')
  async balance(
    @Param({ schema: AddressPath }) { address: { text, lockupScript } }: Path,
    @Query({ schema: BalanceQuery }) { mempool = true }: z.output<typeof BalanceQuery>,
  ): Promise<BalanceAnswer> {
    const { brand } = this.settings;
    if (lockupScript.kind === 'p2c') {
      const { amount, tokens } = isZeroContract(lockupScript)
        ? { amount: '1', tokens: [] }
        : await this.assetOf(text, lockupScript);
      return balanceForm(
        { balance: amount, lockedBalance: '0', tokenBalances: tokens, lockedTokenBalances: [], utxoNum: 1 },
        brand,
      );
    }
    const payload = { lockupScript: scriptHex(lockupScript), mempool };
    return balanceForm(
      await this.groups.request(this.groupOf(text, lockupScript), 'read.address.balance', payload),
      brand,
    );
  }

  @Operation({
    role: 'read',
    summary: 'Unspent outputs of an address',
    description:
      'All of them; with a limit one page of them, by offset. Pages of an address with more than 2,000 outputs are in the order of their amounts, those without tokens first; all else is in the order of the references.',
    answer: Utxos,
    codes: ['ContractNotFound'],
  })
  @Get(':address/utxos')
  async utxos(
    @Param({ schema: AddressPath }) { address: { text, lockupScript } }: Path,
    @Query({ schema: UtxosQuery }) page: z.output<typeof UtxosQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UtxosAnswer | string | Readable> {
    if (isZeroContract(lockupScript)) return { utxos: [{ ref: { hint: 0, key: zeroHash }, amount: '1' }] };
    if (lockupScript.kind === 'p2c') {
      const { reference, amount, tokens } = await this.assetOf(text, lockupScript);
      return { utxos: [{ ref: { ...reference }, amount, ...(tokens.length > 0 ? { tokens: [...tokens] } : {}) }] };
    }
    const owner = { group: this.groupOf(text, lockupScript), lockupScript: scriptHex(lockupScript) };
    return this.utxoPages.read(owner, page, reply);
  }

  /** @throws ServiceError for the address of a contract whose id ends in no group */
  private groupOf(address: string, lockupScript: LockupScript): number {
    const { groups } = this.settings.network;
    const group = groupOfScript(lockupScript, groups);
    if (group === undefined) throw endsInNoGroup(address, groups);
    return group;
  }

  private assetOf(address: string, contract: Contract): Promise<ContractAssetReply> {
    const { contractId } = contract;
    const asset = this.groups.request(this.groupOf(address, contract), 'read.contract.asset', { contractId });
    const { groups } = this.settings.network;
    return orNotFound(asset, () => contractUnknown({ text: address, lockupScript: contract }, groups));
  }
}
