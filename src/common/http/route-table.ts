import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Express } from 'express';

interface RouterLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The routes as Express holds them, to tell an unknown path (404) from a known path with another method (405). */
@Injectable()
export class RouteTable {
  constructor(private readonly host: HttpAdapterHost) {}

  /** The methods that a path answers to; empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    const { stack } = (this.host.httpAdapter.getInstance<Express>() as unknown as { router: { stack: RouterLayer[] } })
      .router;
    const methods = new Set<string>();
    for (const layer of stack) {
      if (layer.route === undefined || !matches(layer, path)) continue;
      for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
    }
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A path that cannot be decoded belongs to no route.
    return false;
  }
}
