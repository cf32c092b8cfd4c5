/**
 * Most decimal places of a token whose amounts are shown in whole units. An amount has 78 digits, so that one of a token with
 * more places is zeros; and issuers may say anything.
 */
const mostTokenDecimals = 80n;

/**
 * Decimal places in which amounts of a token are shown; undefined: the issuer says more than any amount has, and they are shown
 * in the smallest unit, which is named so. @param decimals as the issuer says
 */
export const tokenDecimals = (decimals: bigint): number | undefined =>
  decimals >= 0n && decimals <= mostTokenDecimals ? Number(decimals) : undefined;

/** The name of the smallest unit of a token. @param symbol of the token */
export const smallestUnitOf = (symbol: string): string => `smallest unit of ${symbol}`;
