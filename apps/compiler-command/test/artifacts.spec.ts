import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Contract, Script } from '@alephium/web3';
import { faucetProject, filesBelow, Workshop } from './command-run.js';

describe('artifacts of shardnode-compile', () => {
  let workshop: Workshop;
  beforeEach(() => {
    workshop = new Workshop();
  });
  afterEach(() => workshop.remove());

  it('are, with the project file, byte for byte what the tool of the SDK writes', () => {
    workshop.writeFaucet();
    expect(workshop.run()).toMatchObject({ status: 0 });
    expect(filesBelow(join(workshop.folder, 'artifacts'))).toEqual(filesBelow(join(faucetProject, 'artifacts')));
    expect(workshop.read('.project.json')).toBe(readFileSync(join(faucetProject, '.project.json'), 'utf8'));
  });

  it('are read by the SDK, which makes debug code of them', async () => {
    workshop.writeFaucet();
    workshop.run();
    const { infos } = JSON.parse(workshop.read('.project.json'));
    const { bytecodeDebugPatch, codeHashDebug } = infos.TokenFaucet;
    const path = join(workshop.folder, 'artifacts/tokens/TokenFaucet.ral.json');
    const contract = await Contract.fromArtifactFile(path, bytecodeDebugPatch, codeHashDebug);
    expect(contract.toString()).toBe(workshop.read('artifacts/tokens/TokenFaucet.ral.json'));
    expect(contract.bytecodeDebug).toContain(Buffer.from('remaining: ').toString('hex'));
    const script = await Script.fromArtifactFile(
      join(workshop.folder, 'artifacts/scripts/Withdraw.ral.json'),
      infos.Withdraw.bytecodeDebugPatch,
    );
    expect(script.toString()).toBe(workshop.read('artifacts/scripts/Withdraw.ral.json'));
  });

  it('of imported contracts are in .external', () => {
    workshop.write({
      'contracts/a.ral': 'import "pack/store"\nContract A() extends Store() {\n  pub fn a() -> () {}\n}\n',
      'node_modules/pack/store.ral':
        'Abstract Contract Store() {\n  pub fn s() -> () {}\n}\nContract Box() {\n  pub fn b() -> () {}\n}\n',
    });
    expect(workshop.run()).toMatchObject({ status: 0 });
    expect(Object.keys(filesBelow(join(workshop.folder, 'artifacts'))).sort()).toEqual([
      '.external/node_modules/pack/Box.ral.json',
      'A.ral.json',
    ]);
  });

  it('go to --out, and the project file stays in the project', () => {
    workshop.write({ 'p/contracts/a.ral': 'Contract A() {\n  pub fn a() -> () {}\n}\n' });
    expect(workshop.run('p', '--out', 'build')).toMatchObject({ status: 0 });
    expect(Object.keys(filesBelow(join(workshop.folder, 'build')))).toEqual(['A.ral.json']);
    expect(existsSync(join(workshop.folder, 'p/.project.json'))).toBe(true);
    expect(existsSync(join(workshop.folder, 'p/artifacts'))).toBe(false);
  });

  it('of chosen files come without a project, beside their project file', () => {
    workshop.write({ 'x/a.ral': 'Contract A() {\n  pub fn a() -> () {}\n}\n', 'x/broken.ral': 'nonsense' });
    expect(workshop.run('x/a.ral', '--out', 'build')).toMatchObject({ status: 0 });
    expect(Object.keys(filesBelow(join(workshop.folder, 'build'))).sort()).toEqual(['.project.json', 'A.ral.json']);
  });

  it('of definitions that are gone are removed, and no other file', () => {
    workshop.writeFaucet();
    workshop.run();
    workshop.write({ 'artifacts/notes.ral.json': '{}', 'contracts/registry.ral': '// Gone.\n' });
    expect(workshop.run()).toMatchObject({ status: 0 });
    expect(Object.keys(filesBelow(join(workshop.folder, 'artifacts'))).sort()).toEqual([
      'notes.ral.json',
      'scripts/Withdraw.ral.json',
      'structs.ral.json',
      'tokens/TokenFaucet.ral.json',
    ]);
  });

  it('outside the folder are not removed, whatever a project file says', () => {
    const infos = { '../kept': { sourceFile: 'a.ral' }, Kept: { sourceFile: '../../a.ral' } };
    workshop.write({
      'contracts/a.ral': 'Contract A() {\n  pub fn a() -> () {}\n}\n',
      'kept.ral.json': '{}',
      'Kept.ral.json': '{}',
      '.project.json': JSON.stringify({ infos }),
    });
    expect(workshop.run()).toMatchObject({ status: 0 });
    expect([workshop.read('kept.ral.json'), workshop.read('Kept.ral.json')]).toEqual(['{}', '{}']);
  });

  it('are not written when a source has an error', () => {
    workshop.writeFaucet();
    workshop.run();
    const before = filesBelow(join(workshop.folder, 'artifacts'));
    workshop.write({ 'contracts/registry.ral': 'Contract Clock() {\n  pub fn now() -> U256 { return 1 }\n' });
    expect(workshop.run()).toMatchObject({ status: 1 });
    expect(filesBelow(join(workshop.folder, 'artifacts'))).toEqual(before);
  });
});
