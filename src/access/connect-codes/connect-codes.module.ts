import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { CONNECT_CODE_MODEL, connectCodeSchema } from './connect-code.schema.js';
import { ConnectCodesController } from './connect-codes.controller.js';
import { ConnectCodesRepository } from './connect-codes.repository.js';
import { ConnectCodesService } from './connect-codes.service.js';

@Module({
  imports: [
    ApiKeysModule,
    AuditModule,
    ServersModule,
    MongooseModule.forFeature([{ name: CONNECT_CODE_MODEL, schema: connectCodeSchema }]),
  ],
  controllers: [ConnectCodesController],
  providers: [ConnectCodesRepository, ConnectCodesService],
})
export class ConnectCodesModule {}
