import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { type AppConfig } from './app-config.js';

/** Makes one set of settings available everywhere as `ConfigService<AppConfig, true>`. */
@Module({})
export class AppConfigModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: AppConfigModule,
      imports: [
        ConfigModule.forRoot({
          isGlobal: true,
          cache: true,
          // The settings are complete and checked: neither files nor the process' environment may override them.
          ignoreEnvFile: true,
          ignoreEnvVars: true,
          skipProcessEnv: true,
          load: [() => ({ ...config })],
        }),
      ],
    };
  }
}
