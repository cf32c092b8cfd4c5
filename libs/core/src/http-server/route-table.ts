interface KnownRoute {
  readonly method: string;
  readonly form: RegExp;
}

/** `/blocks/:hash` and `/docs/*` as expressions; one trailing slash is allowed (07 §1.1). */
const formOf = (url: string): RegExp => {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`);
};

/** As clients of the recorded answers expect the header `Allow`. HEAD is not listed: it goes wherever GET does. */
const methodOrder = ['POST', 'GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

/** Which methods a path knows: asked only for a request that matched nothing, to tell 405 from 404. */
export class RouteTable {
  private readonly routes: KnownRoute[] = [];

  add(route: { readonly method: string | readonly string[]; readonly url: string }): void {
    const form = formOf(route.url);
    for (const method of [route.method].flat()) this.routes.push({ method, form });
  }

  methodsOf(path: string): string[] {
    const known = this.routes.filter(({ form }) => form.test(path)).map(({ method }) => method);
    return methodOrder.filter((method) => known.includes(method));
  }
}
