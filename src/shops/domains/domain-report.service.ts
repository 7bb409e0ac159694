import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { txtRecordName, txtRecordValue } from '../shops/hostname-rules.js';
import { type ShopDomain } from '../shops/shop.types.js';
import { ShopsService } from '../shops/shops.service.js';
import { hasCertificate } from './certificate-probe.js';
import { type ProofVerdict, verdictOn } from './domain-proof-rules.js';
import { DomainResolver } from './domain-resolver.js';

/** What the DNS says about the custom domain of a shop now. */
export interface DomainReport {
  readonly domain: ShopDomain;
  readonly proof: ProofVerdict;
  /** Where the hostname leads; null when the DNS gave no usable result. */
  readonly addresses: readonly string[] | null;
  /** The name that a CNAME record of the hostname should have: the shop's address at the platform. */
  readonly target: string;
  /** Whether the hostname leads to an address of the platform; null when one of the two is not known. */
  readonly pointsHere: boolean | null;
  /** Whether browsers accept the certificate of the hostname; null while it does not point here. */
  readonly hasCertificate: boolean | null;
}

/** Looks at a custom domain as a buyer would find it, and changes nothing. */
@Injectable()
export class DomainReportService {
  constructor(
    private readonly shops: ShopsService,
    private readonly resolver: DomainResolver,
    private readonly config: AppConfig,
  ) {}

  /** @throws AppError domain_not_claimed, shop_not_found */
  async report(context: ShopContext): Promise<DomainReport> {
    const { domain, uniqueName } = await this.shops.get(context);
    if (domain === null) throw new AppError('domain_not_claimed');
    const { hostname, token } = domain;
    const target = `${uniqueName}.${this.config.platformDomain}`;
    const [records, addresses, own] = await Promise.all([
      this.resolver.txt(txtRecordName(hostname)),
      this.resolver.addresses(hostname),
      this.resolver.addresses(target),
    ]);
    const shared = addresses?.find((address) => own?.includes(address));
    return {
      domain,
      proof: verdictOn(records, txtRecordValue(token)),
      addresses,
      target,
      pointsHere: addresses === null || own === null || own.length === 0 ? null : shared !== undefined,
      hasCertificate: shared === undefined ? null : await hasCertificate(shared, hostname),
    };
  }
}
