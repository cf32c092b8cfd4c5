interface KnownRoute {
  readonly method: string;
  readonly form: RegExp;
  readonly config: unknown;
}

/** `/blocks/:hash` and `/docs/*` as expressions; one trailing slash is allowed (07 §1.1). */
const formOf = (url: string): RegExp => {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`);
};

/**
 * Order in the header `Allow`, as clients of the recorded responses expect it. HEAD is not listed: it works wherever
 * GET does.
 */
const methodOrder = ['POST', 'GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

/** The methods of each path, for requests without a route: to distinguish 405 from 404, and for preflights. */
export class RouteTable {
  private readonly routes: KnownRoute[] = [];

  add(route: { readonly method: string | readonly string[]; readonly url: string; readonly config?: unknown }): void {
    const form = formOf(route.url);
    for (const method of [route.method].flat()) this.routes.push({ method, form, config: route.config });
  }

  /** The configuration of the route of a path as it was sent; undefined: there is none. */
  configOf(method: string, path: string): unknown {
    return this.routes.find((route) => route.method === method && route.form.test(path))?.config;
  }

  methodsOf(path: string): string[] {
    const known = this.routes.filter(({ form }) => form.test(path)).map(({ method }) => method);
    return methodOrder.filter((method) => known.includes(method));
  }
}
