import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { WalletClient } from '@shardnode/messages';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import {
  AddressInfo,
  Addresses,
  type AddressesWithInfos,
  ChangeActiveAddress,
  DeriveQuery,
  MinerAddressSet,
  MinerAddressSets,
  WalletAddressPath,
  WalletPath,
} from './wallets.schemas.js';

type Path = z.output<typeof WalletPath>;

/** Addresses of wallets, also of those for mining rewards (protocol 07 §4). */
@ApiTags('Wallets')
@Controller('wallets/:wallet_name')
export class WalletAddressesController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly wallet: WalletClient,
  ) {}

  @Operation({
    role: 'wallets',
    summary: 'Addresses of a wallet',
    answer: Addresses,
    codes: ['WalletNotFound', 'WalletLocked'],
  })
  @Get('addresses')
  async addresses(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
  ): Promise<z.output<typeof Addresses> | z.output<typeof AddressesWithInfos>> {
    const { activeAddress, addresses } = await this.wallet.request('addresses', { walletName });
    return this.settings.profile.walletAddresses === 'infos'
      ? { activeAddress, addresses: [...addresses] }
      : { activeAddress, addresses: addresses.map(({ address }) => address) };
  }

  @Operation({
    role: 'wallets',
    summary: 'Public key, group and path of an address',
    answer: AddressInfo,
    codes: ['WalletNotFound', 'WalletLocked', 'UnknownAddress'],
  })
  @Get('addresses/:address')
  addressInfo(
    @Param({ schema: WalletAddressPath })
    { wallet_name: walletName, address: { text } }: z.output<typeof WalletAddressPath>,
  ): Promise<z.output<typeof AddressInfo>> {
    return this.wallet.request('address-info', { walletName, address: text });
  }

  @Operation({
    role: 'wallets',
    summary: 'Choose the address that signs and sends',
    codes: ['WalletNotFound', 'WalletLocked', 'UnknownAddress'],
  })
  @Post('change-active-address')
  async changeActiveAddress(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
    @Body({ schema: ChangeActiveAddress }) { address: { text } }: z.output<typeof ChangeActiveAddress>,
  ): Promise<void> {
    await this.wallet.request('change-active-address', { walletName, address: text });
  }

  @Operation({
    role: 'wallets',
    summary: 'Derive the next address; it becomes the active one',
    answer: AddressInfo,
    codes: ['WalletNotFound', 'WalletLocked', 'MinerWalletNeeded'],
  })
  @Post('derive-next-address')
  deriveNextAddress(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
    @Query({ schema: DeriveQuery }) { group }: z.output<typeof DeriveQuery>,
  ): Promise<z.output<typeof AddressInfo>> {
    return this.wallet.request('derive-next-address', { walletName, group });
  }

  @Operation({
    role: 'wallets',
    summary: 'Addresses of a miner wallet, set by set',
    description: 'A set has one address of each group, in the order of the groups.',
    answer: MinerAddressSets,
    codes: ['WalletNotFound', 'WalletLocked', 'MinerWalletNeeded'],
  })
  @Get('miner-addresses')
  async minerAddresses(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
  ): Promise<z.output<typeof MinerAddressSets>> {
    const { sets } = await this.wallet.request('miner-addresses', { walletName });
    return sets.map(({ addresses }) => ({ addresses: [...addresses] }));
  }

  @Operation({
    role: 'wallets',
    summary: 'Derive the next set of addresses of a miner wallet',
    description: 'The active address stays the same.',
    answer: MinerAddressSet,
    codes: ['WalletNotFound', 'WalletLocked', 'MinerWalletNeeded'],
  })
  @Post('derive-next-miner-addresses')
  async deriveNextMinerAddresses(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
  ): Promise<z.output<typeof MinerAddressSet>> {
    const { addresses } = await this.wallet.request('derive-next-miner-addresses', { walletName });
    return [...addresses];
  }
}
