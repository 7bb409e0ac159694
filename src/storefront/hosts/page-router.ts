import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { PublicShopsService } from '../../shops/shops/public-shops.service.js';
import { type HostSettings, isOfAuth, isServiceHost, nameOf, pageRouteOf, type Visit } from './page-routing.js';

/** The headers of every page, also of errors. A shop's domain may have other services below it, so HSTS is for the host alone. */
const HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'interest-cohort=()',
  'Referrer-Policy': 'same-origin',
  'Strict-Transport-Security': 'max-age=63072000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Leads the requests of visitors to the pages of the shop, or of the service, whose host they name. */
@Injectable()
export class PageRouter {
  private readonly settings: HostSettings;

  constructor(
    private readonly shops: PublicShopsService,
    { platformDomain, publicUrl, environment }: AppConfig,
  ) {
    const { hostname, pathname } = publicUrl === null ? { hostname: null, pathname: '' } : new URL(publicUrl);
    this.settings = {
      platformDomain,
      serviceHost: hostname,
      servicePath: pathname.replace(/\/+$/, ''),
      isProduction: environment === 'production',
    };
  }

  /** Express' step before those of the API, which requests for pages do not pass. */
  readonly lead = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { path } = request;
    const host = request.host as string | undefined;
    // A request with several hosts or without one is rejected later, as one to the API is.
    if (host === undefined || request.headersDistinct['host']?.length !== 1) {
      next();
      return;
    }
    const route = pageRouteOf(host, path, this.settings);
    if (route === null) {
      next(await this.rejectionOf(host, path));
      return;
    }
    request.visit = route.visit;
    request.url = route.path + request.url.slice(path.length);
    response.set(HEADERS);
    next();
  };

  /** Nobody logs in at the host of a shop, however it is written: its pages and those of the console must not share an origin. */
  private async rejectionOf(host: string, path: string): Promise<AppError | undefined> {
    if (!isOfAuth(path) || isServiceHost(host, this.settings)) return undefined;
    const names = [host.toLowerCase(), nameOf(host)];
    const found = await Promise.all(names.map((name) => this.shops.isFrontEnd(`https://${name}`)));
    return found.includes(true) ? new AppError('route_not_found') : undefined;
  }
}

/** The visit of a request for a page. */
export function visitOf({ visit }: Request): Visit {
  if (visit === undefined) throw new Error('pages need the step of PageRouter');
  return visit;
}

declare global {
  // Express' own way to type what middleware attaches to a request.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** Only requests for pages have it. */
      visit?: Visit;
    }
  }
}
