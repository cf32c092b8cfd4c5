import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { WalletClient } from '@shardnode/messages';
import { Operation } from '../operations/operation.js';
import {
  RevealMnemonic,
  RevealMnemonicResult,
  WalletCreation,
  WalletCreationResult,
  WalletDeletion,
  WalletPath,
  WalletRestore,
  WalletRestoreResult,
  WalletStatus,
  WalletStatuses,
  WalletUnlock,
} from './wallets.schemas.js';

type Path = z.output<typeof WalletPath>;
type Status = z.output<typeof WalletStatus>;

const statusForm = ({ walletName, locked }: Readonly<Status>): Status => ({ walletName, locked });

/** Wallets, their passwords and their words (protocol 07 §4). */
@ApiTags('Wallets')
@Controller('wallets')
export class WalletsController {
  constructor(private readonly wallet: WalletClient) {}

  @Operation({
    role: 'wallets',
    summary: 'Create a wallet',
    description: 'Answers the words of the wallet: keep them, and keep them secret.',
    answer: WalletCreationResult,
    codes: ['WalletExists', 'InvalidWalletName', 'InvalidMnemonicSize', 'TooManyPasswordChecks'],
  })
  @Post()
  async create(
    @Body({ schema: WalletCreation }) { mnemonicPassphrase: passphrase, ...body }: z.output<typeof WalletCreation>,
  ): Promise<z.output<typeof WalletCreationResult>> {
    const { walletName, mnemonic } = await this.wallet.request('create', { ...body, passphrase });
    return { walletName, mnemonic };
  }

  @Operation({
    role: 'wallets',
    summary: 'Restore a wallet from its words',
    description:
      'For a wallet that was deleted, or whose password is forgotten. Where a wallet of that name and mnemonic exists, it gets the new password and is unlocked; its addresses stay, and waiting times after wrong passwords end. Where the name belongs to another wallet, nothing changes and the answer is 409.',
    answer: WalletRestoreResult,
    codes: ['WalletExists', 'InvalidWalletName', 'InvalidMnemonic', 'TooManyPasswordChecks'],
  })
  @Put()
  async restore(
    @Body({ schema: WalletRestore }) { mnemonicPassphrase: passphrase, ...body }: z.output<typeof WalletRestore>,
  ): Promise<z.output<typeof WalletRestoreResult>> {
    const { walletName } = await this.wallet.request('restore', { ...body, passphrase });
    return { walletName };
  }

  @Operation({ role: 'wallets', summary: 'All wallets, by name', answer: WalletStatuses })
  @Get()
  async list(): Promise<Status[]> {
    const { wallets } = await this.wallet.request('list', {});
    return wallets.map(statusForm);
  }

  @Operation({
    role: 'wallets',
    summary: 'Whether a wallet is locked',
    answer: WalletStatus,
    codes: ['WalletNotFound'],
  })
  @Get(':wallet_name')
  async status(@Param({ schema: WalletPath }) { wallet_name: walletName }: Path): Promise<Status> {
    return statusForm(await this.wallet.request('get', { walletName }));
  }

  @Operation({
    role: 'wallets',
    summary: 'Delete a wallet',
    codes: ['WalletNotFound', 'InvalidPassword', 'TooManyWrongPasswords', 'TooManyPasswordChecks'],
  })
  @Delete(':wallet_name')
  async delete(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
    @Body({ schema: WalletDeletion }) { password }: z.output<typeof WalletDeletion>,
  ): Promise<void> {
    await this.wallet.request('delete', { walletName, password });
  }

  @Operation({ role: 'wallets', summary: 'Lock a wallet', codes: ['WalletNotFound'] })
  @Post(':wallet_name/lock')
  async lock(@Param({ schema: WalletPath }) { wallet_name: walletName }: Path): Promise<void> {
    await this.wallet.request('lock', { walletName });
  }

  @Operation({
    role: 'wallets',
    summary: 'Unlock a wallet',
    codes: ['WalletNotFound', 'InvalidPassword', 'InvalidPassphrase', 'TooManyWrongPasswords', 'TooManyPasswordChecks'],
  })
  @Post(':wallet_name/unlock')
  async unlock(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
    @Body({ schema: WalletUnlock }) { password, mnemonicPassphrase: passphrase }: z.output<typeof WalletUnlock>,
  ): Promise<void> {
    await this.wallet.request('unlock', { walletName, password, passphrase });
  }

  @Operation({
    role: 'wallets',
    summary: 'Show the words of a wallet again',
    description: 'Works on a locked wallet. The passphrase of the mnemonic, if it has one, is not shown.',
    answer: RevealMnemonicResult,
    codes: ['WalletNotFound', 'InvalidPassword', 'TooManyWrongPasswords', 'TooManyPasswordChecks'],
  })
  @Post(':wallet_name/reveal-mnemonic')
  async revealMnemonic(
    @Param({ schema: WalletPath }) { wallet_name: walletName }: Path,
    @Body({ schema: RevealMnemonic }) { password }: z.output<typeof RevealMnemonic>,
  ): Promise<z.output<typeof RevealMnemonicResult>> {
    const { mnemonic } = await this.wallet.request('reveal-mnemonic', { walletName, password });
    return { mnemonic };
  }
}
