import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { lockupScriptCodec, type LockupScript } from '@shardnode/protocol/primitives';

/** A lockup script as services send it to each other: its encoding, hexadecimal. */
export const scriptHex = (lockupScript: LockupScript): string => bytesToHex(encode(lockupScriptCodec, lockupScript));
