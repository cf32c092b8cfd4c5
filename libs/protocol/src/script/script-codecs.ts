import { blake2bHash } from '../crypto/blake2b/index.js';
import { type Codec, checked, encode, invalidValue, record, vector } from '../encoding/index.js';
import { type Hash } from '../primitives/index.js';
import { hasPossibleLengths, methodCodec, methodCodecOf, usesApprovedAssets } from './method-codec.js';
import { type StatefulScript, type StatelessScript } from './model.js';

const isWellFormed = ({ methods }: StatefulScript): boolean =>
  methods[0]?.isPublic === true && methods.every(hasPossibleLengths);

/** A transaction script: its methods without length prefix (protocol 01 §13.2). */
export const statefulScriptCodec: Codec<StatefulScript> = checked(
  record<StatefulScript>({ methods: vector(methodCodec) }),
  (script) => {
    if (!isWellFormed(script)) throw invalidValue('Invalid TxScript');
  },
);

/** The script of a p2sh unlock (protocol 01 §13.2). Its methods may not use approved assets. */
export const statelessScriptCodec: Codec<StatelessScript> = checked(
  record<StatelessScript>({ methods: vector(methodCodecOf('stateless')) }),
  (script) => {
    if (!isWellFormed(script) || script.methods.some(usesApprovedAssets)) throw invalidValue('Invalid script');
  },
);

/** The hash that a p2sh lockup script holds: blake2b of the canonical script (protocol 01 §6.1, 05 §3.5). */
export const statelessScriptHash = (script: StatelessScript): Hash => blake2bHash(encode(statelessScriptCodec, script));
