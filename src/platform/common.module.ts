import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MethodNotAllowed } from './http/method-not-allowed.js';
import { PageLinks } from './http/page-links.js';
import { PublicUrl } from './http/public-url.js';
import { Templates } from './templates/templates.js';

/** What all requests and several features share. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [PublicUrl, MethodNotAllowed, PageLinks, { provide: Templates, useFactory: () => new Templates() }],
  exports: [PublicUrl, PageLinks, Templates],
})
export class CommonModule {}
