import { describe, expect, it } from '@jest/globals';
import { type FeedCallResult, type FeedVal } from '@shardnode/messages';
import { categoryOf, interfaceOfFields } from '../blocks/interfaces.js';
import { type Metadata, metadataKindOf, metadataOf } from './metadata.js';

const bytes = (text: string): FeedVal => ({ type: 'ByteVec', value: Buffer.from(text).toString('hex') });
const number = (value: string): FeedVal => ({ type: 'U256', value });
const results = (...values: FeedVal[]): FeedCallResult[] => values.map((value) => ({ ok: true, returns: [value] }));
const read = (of: 'token' | 'contract', id: string, given: readonly FeedCallResult[]): Metadata | undefined =>
  metadataOf(metadataKindOf(of, id)!, given);

describe('metadata of contracts (protocol 08 §4.11)', () => {
  it('has the values of all calls, or none', () => {
    const all = results(bytes('TT'), bytes('Test\0 token'), number('18'));
    const found = { kind: 'fungible', symbol: 'TT', name: 'Test token', decimals: '18' };
    expect(read('token', '0001', all)).toEqual(found);
    expect(read('token', '000102', all)).toEqual(found);
    expect(read('token', '0001', [...all.slice(0, 2), { ok: false, error: 'fails' }])).toBeUndefined();
    expect(read('token', '0001', results(bytes('TT'), number('1'), number('18')))).toBeUndefined();
    expect(read('token', '0001', all.slice(0, 2))).toBeUndefined();
  });

  it('needs 32 bytes for the id of a collection', () => {
    const returns = (id: FeedVal): FeedCallResult[] => [
      ...results(bytes('uri')),
      { ok: true, returns: [id, number('1')] },
    ];
    const id = 'ab'.repeat(32);
    const found = { kind: 'nft', tokenUri: 'uri', collection: id, nftIndex: '1' };
    expect(read('token', '0003', returns({ type: 'ByteVec', value: id }))).toEqual(found);
    expect(read('token', '0003', returns({ type: 'ByteVec', value: 'ab' }))).toBeUndefined();
  });

  it('replaces wrong UTF-8, keeps a byte order mark, and cuts long texts', () => {
    expect(read('contract', '0002', results({ type: 'ByteVec', value: 'efbbbf41ff' }))).toEqual({
      kind: 'collection',
      collectionUri: '\uFEFFA\uFFFD',
    });
    const long = read('token', '0001', results(bytes('😀'.repeat(600)), bytes(''), number('0')));
    expect(long).toMatchObject({ symbol: '😀'.repeat(512) });
  });

  it('takes the interface of the last immutable field alone', () => {
    const field: FeedVal = { type: 'ByteVec', value: '414c50480001' };
    expect(interfaceOfFields([number('1'), field])).toBe('0001');
    expect(interfaceOfFields([field, number('1')])).toBe('');
    expect(interfaceOfFields([])).toBe('');
    expect([categoryOf('000201'), categoryOf('be'), categoryOf('')]).toEqual(['0002', 'be', '']);
  });

  it('is that of tokens or of collections', () => {
    expect(metadataKindOf('contract', '0001')).toBeUndefined();
    expect(metadataKindOf('contract', '00020102')).toBeUndefined();
    expect(metadataKindOf('token', '0002')).toBeUndefined();
    expect(metadataKindOf('token', '')).toBeUndefined();
  });
});
