import { Global, Module } from '@nestjs/common';
import { PublicUrl } from './http/public-url.js';
import { RouteTable } from './http/route-table.js';

/** What the request pipeline and several features need of HTTP. */
@Global()
@Module({ providers: [PublicUrl, RouteTable], exports: [PublicUrl, RouteTable] })
export class CommonModule {}
