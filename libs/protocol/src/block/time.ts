/** Milliseconds; this timestamp alone marks a header as genesis (protocol 03 §1, §2.2). */
export const genesisTimestamp = 1_231_006_505_000n;

/** Milliseconds; no other block may be older (protocol 03 §2.2). Rewards and genesis lock times count from here. */
export const launchTimestamp = 1_636_379_973_000n;

/** Whether a header is a genesis header: by its timestamp only (protocol 03 §1). */
export const isGenesis = (header: { readonly timestamp: bigint }): boolean => header.timestamp === genesisTimestamp;
