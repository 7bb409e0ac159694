import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MethodNotAllowed } from './http/method-not-allowed.js';
import { PublicUrl } from './http/public-url.js';

/** What all requests and several features share. */
@Global()
@Module({ imports: [DiscoveryModule], providers: [PublicUrl, MethodNotAllowed], exports: [PublicUrl] })
export class CommonModule {}
