import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { lockupScriptCodec, type LockupScript } from '@shardnode/protocol/primitives';

/** A lockup script as on the bus: its encoding in hexadecimal. */
export const scriptHex = (lockupScript: LockupScript): string => bytesToHex(encode(lockupScriptCodec, lockupScript));
