import { Module } from '@nestjs/common';
import { Assets } from '../../infrastructure/templates/assets.js';
import { ShopStyle } from './shop-style.js';

/** The look that the storefront of a shop and the pages of its buyers share. */
@Module({ providers: [Assets, ShopStyle], exports: [Assets, ShopStyle] })
export class LookModule {}
