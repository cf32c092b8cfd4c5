import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { type TestKey } from '@shardnode/testing/keys';
import { debugText } from '@shardnode/testing/compiled-code';
import { address, bool, byteVec, u256 } from '@shardnode/testing/sample-contracts';
import { type ApiClient } from '../api-client.js';
import { type BuiltForm } from '../api-forms.js';
import { contractIdOf, deployContract, settle } from '../faucet.js';
import { oneCoin } from '../transfers.js';

/** A vault takes coins, opens boxes below itself, and can be renamed, migrated and closed. */
export const vaultSource = `
struct Limits { least: U256, mut most: U256 }

Contract Box(mut size: U256) {
  @using(updateFields = true, checkExternalCaller = false)
  pub fn resize(to: U256) -> () { size = to }

  @using(assetsInContract = true, checkExternalCaller = false)
  pub fn close(refund: Address) -> () { destroySelf!(refund) }
}

Contract Vault(owner: Address, mut limits: Limits, box: ByteVec, mut note: ByteVec, mut total: U256, mut isOpen: Bool) {
  event Deposited(by: Address, amount: U256, total: U256)
  event Renamed(note: ByteVec)

  enum VaultError { Closed = 1 TooMuch = 2 }

  pub fn totalWith(more: U256, by: Address) -> (U256, Bool) {
    emit Debug(\`asked for \${more}\`)
    assert!(total + more <= limits.most, VaultError.TooMuch)
    return total + more, by == owner
  }

  pub fn noteOf() -> ByteVec { return note }

  @using(preapprovedAssets = true, assetsInContract = true, checkExternalCaller = false)
  pub fn deposit(amount: U256) -> () {
    assert!(isOpen, VaultError.Closed)
    transferTokenToSelf!(callerAddress!(), ALPH, amount)
    add(amount)
    emit Deposited(callerAddress!(), amount, total)
  }

  @using(updateFields = true)
  fn add(amount: U256) -> () { total = total + amount }

  @using(updateFields = true, checkExternalCaller = false)
  pub fn rename(to: ByteVec) -> () {
    note = to
    emit Renamed(to)
  }

  @using(preapprovedAssets = true, checkExternalCaller = false)
  pub fn openBox(path: ByteVec, size: U256) -> () {
    let (fixed, changing) = Box.encodeFields!(size)
    let _ = copyCreateSubContract!{callerAddress!() -> ALPH: 1 alph}(path, box, fixed, changing)
  }

  @using(checkExternalCaller = false)
  pub fn closeBox(path: ByteVec) -> () { Box(subContractId!(path)).close(callerAddress!()) }

  @using(checkExternalCaller = false)
  pub fn upgrade(code: ByteVec) -> () { migrate!(code) }

  @using(assetsInContract = true, updateFields = true, checkExternalCaller = false)
  pub fn close() -> () {
    isOpen = false
    destroySelf!(callerAddress!())
  }
}
`;

const scripts = {
  deposit: (amount: bigint) => `vault.deposit{callerAddress!() -> ALPH: ${amount}}(${amount})`,
  rename: (note: string) => `vault.rename(#${Buffer.from(note).toString('hex')})`,
  openBox: (path: string) => `vault.openBox{callerAddress!() -> ALPH: 1 alph}(#${path}, 7)`,
  closeBox: (path: string) => `vault.closeBox(#${path})`,
  upgrade: (code: string) => `vault.upgrade(#${code})`,
  close: () => 'vault.close()',
} as const;
type Scripts = typeof scripts;

interface Compiled {
  readonly contracts: readonly {
    readonly name: string;
    readonly bytecode: string;
    readonly bytecodeDebugPatch: string;
  }[];
}

/** A vault on the chain, and what its owner does with it. Each is done when its block is there. */
export class Vault {
  private constructor(
    private readonly api: ApiClient,
    private readonly key: TestKey,
    readonly address: string,
    /** Code that it can be upgraded to. */
    readonly otherCode: string,
  ) {}

  /** Compiles the source at the node, and puts the contracts on its chain, the vault with its debug messages. */
  static async open(api: ApiClient, key: TestKey): Promise<Vault> {
    const { contracts } = await api.post<Compiled>('/contracts/compile-project', { code: vaultSource });
    const [box, vault] = contracts;
    const deploy = async (code: string, fixed: readonly Val[], changing: readonly Val[]): Promise<string> => {
      const fields = [fixed, changing].map((values) => bytesToHex(encode(valsCodec, values)));
      return (await deployContract(api, key, { bytecode: [code, ...fields].join('') })).address;
    };
    const boxAddress = await deploy(box!.bytecode, [], [u256(0)]);
    const vaultAddress = await deploy(
      debugText(vault!.bytecode, vault!.bytecodeDebugPatch),
      [address(key.lockupScript), u256(1), byteVec(contractIdOf(boxAddress))],
      [u256(100n * oneCoin), byteVec(Buffer.from('savings').toString('hex')), u256(0), bool(true)],
    );
    return new Vault(api, key, vaultAddress, vault!.bytecode);
  }

  /** Runs a script that calls it. @returns the id of the transaction */
  async run<Name extends keyof Scripts>(name: Name, ...given: Parameters<Scripts[Name]>): Promise<string> {
    const call = (scripts[name] as (...values: Parameters<Scripts[Name]>) => string)(...given);
    const main = `let vault = Vault(#${contractIdOf(this.address)}) ${call}`;
    const script = `@using(preapprovedAssets = true) TxScript Main { ${main} }`;
    const { bytecodeTemplate } = await this.api.post<{ readonly bytecodeTemplate: string }>(
      '/contracts/compile-script',
      { code: `${script}${vaultSource}` },
    );
    const built = await this.api.post<BuiltForm>('/contracts/unsigned-tx/execute-script', {
      fromPublicKey: bytesToHex(this.key.publicKey),
      bytecode: bytecodeTemplate,
      attoCoinAmount: String(10n * oneCoin),
    });
    await settle(this.api, this.key, built);
    return built.txId;
  }
}
