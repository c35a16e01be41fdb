export { type OtelConventions, type OtelStagesOptions, otelStages } from './adapters/otel/otel-stages.js'
