import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { type RequestHandler, Router } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { API_PREFIX } from '../addresses/api-prefix.js';

/** A path whose last parameter is an id of hexadecimal digits, so that no word is one. */
const NO_WORD = /:(\w+Id|key)$/;

interface Endpoint {
  /** With its parameters, such as `/api/v2/shops/:shopId`. */
  readonly path: string;
  readonly method: RequestMethod;
}

/** Returns 405 for a path of the API with a method that it does not have; `Allow` lists the methods that it has. */
@Injectable()
export class MethodNotAllowed {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /**
   * Checks the method of a request before its route is chosen. Otherwise a route with a parameter would take the request:
   * `/discounts/:shopId/:discountId` has GET, and matches `/discounts/1/validate`, which has only POST.
   */
  handler(): RequestHandler {
    const router = Router();
    for (const { path, methods } of methodsByPath(this.endpoints())) {
      const headers = { Allow: methods.join(', ') };
      router.all(path, ({ method }, _response, next) => {
        if (!methods.includes(method)) throw new AppError('method_not_allowed', { headers });
        next('router');
      });
    }
    return router;
  }

  /** The paths and methods that the decorators of the controllers declare. */
  private endpoints(): Endpoint[] {
    return this.discovery.getControllers().flatMap(({ metatype, instance }) => {
      if (metatype === null) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name] ?? {};
        const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
        if (method === undefined) return [];
        const parts = [metatype, handler].flatMap(
          (part) => Reflect.getMetadata(PATH_METADATA, part) as string | string[],
        );
        // The pages of the storefront are outside of the prefix.
        if (parts.some((part) => part.startsWith('@'))) return [];
        return [{ path: ['', API_PREFIX, ...parts.filter((part) => part !== '/')].join('/'), method }];
      });
    });
  }
}

/**
 * The methods of each path. Paths that differ only in the names of parameters are one. When two paths match the same request, the
 * one with the later parameter comes first, and its methods count. Only where the other one ends with a parameter that can be any
 * word, such as the secret in the link of a page, the methods of both count.
 */
export function methodsByPath(endpoints: readonly Endpoint[]): { path: string; methods: string[] }[] {
  const byShape = new Map<string, { path: string; methods: string[] }>();
  for (const { path, method } of endpoints) {
    // `~` sorts after every letter and digit.
    const shape = path.replace(/:\w+/g, '~');
    const known = byShape.get(shape) ?? { path, methods: [] };
    known.methods.push(...(method === RequestMethod.GET ? ['GET', 'HEAD'] : [RequestMethod[method]]));
    byShape.set(shape, known);
  }
  return [...byShape]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([shape, { path, methods }]) => {
      const other = byShape.get(shape.replace(/[^/]+$/, '~'));
      const others = other === undefined || NO_WORD.test(other.path) ? [] : other.methods;
      return { path, methods: [...new Set([...methods, ...others])].sort() };
    });
}
