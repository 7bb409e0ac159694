import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ProductVersion, readProductVersion } from '../version/product-version.js';
import { AppConfig } from './app-config.js';

/** Lets every class inject the settings as `AppConfig`, and what runs with them as `ProductVersion`. */
@Global()
@Module({})
export class AppConfigModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: AppConfigModule,
      providers: [
        { provide: AppConfig, useValue: config },
        { provide: ProductVersion, useFactory: readProductVersion },
      ],
      exports: [AppConfig, ProductVersion],
    };
  }
}
