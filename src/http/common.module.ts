import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MethodNotAllowed } from './requests/method-not-allowed.js';
import { PageLinks } from './addresses/page-links.js';
import { PublicUrl } from './addresses/public-url.js';
import { TotalsRegistry } from '../infrastructure/totals/totals.js';
import { Templates } from '../infrastructure/templates/templates.js';

/** What all requests and several features share. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    PublicUrl,
    MethodNotAllowed,
    PageLinks,
    TotalsRegistry,
    { provide: Templates, useFactory: () => new Templates() },
  ],
  exports: [PublicUrl, PageLinks, Templates, TotalsRegistry],
})
export class CommonModule {}
