import { isLoopback } from './canonical-host.js';

/**
 * Names in the header `Host` by which a service is reached, beside addresses and `localhost`: that of its interface and
 * those of the operator; its own only where others than this machine may call, as the networks of Compose and Kubernetes
 * do. To a page in a browser of this machine the DNS of a stranger's network may well give a name such as `gateway`.
 */
export const ownHostNames = (
  service: string,
  { host, hostNames = [] }: { readonly host: string; readonly hostNames?: readonly string[] },
): readonly string[] => [...(isLoopback(host) ? [] : [service]), host, ...hostNames];
