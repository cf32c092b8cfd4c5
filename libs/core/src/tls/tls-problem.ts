/** Problems of certificates by the error code of Node's TLS. */
const certificateProblems: ReadonlyMap<string, string> = new Map([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate comes from an authority that is not trusted here'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is signed by nobody but itself'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate comes from an authority that is not trusted here'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its certificate comes from an authority that is not trusted here'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate comes from an authority that is not trusted here'],
  ['CERT_SIGNATURE_FAILURE', 'its certificate comes from an authority that is not trusted here'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'it wants a certificate of this side'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'it does not accept the certificate of this side'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'it does not accept the certificate of this side'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS'],
]);

/** Servers and libraries report missing TLS only in a text, without a code. */
const withoutTls = /does not support (SSL connections|'tls')/i;

/** Depth to which causes are followed. */
const causes = 5;

/**
 * Why a secure connection failed, as a clause about the server (`its certificate has expired`); undefined if TLS is not
 * the reason. A retry does not help: the configuration must change.
 */
export const tlsProblem = (error: unknown): string | undefined => {
  let next = error as { readonly code?: unknown; readonly message?: unknown; readonly cause?: unknown } | undefined;
  for (let depth = 0; next !== undefined && next !== null && depth < causes; depth++) {
    const problem = certificateProblems.get(String(next.code ?? ''));
    if (problem !== undefined) return problem;
    if (typeof next.message === 'string' && withoutTls.test(next.message)) return 'it does not speak TLS';
    next = next.cause as typeof next;
  }
  return undefined;
};
