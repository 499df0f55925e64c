// Messages to webhooks and their answers, and how an embedder may deliver them.
import type { Json, JsonObject } from '../json.ts';

/** A Service that a webhook is reached through. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  /** Default 443. */
  readonly port: number;
}

/** A review on its way to a webhook. */
export interface WebhookMessage {
  /** With path and `?timeout=`. */
  readonly url: string;
  /** PEM text of the authorities to trust; undefined: those of the machine. */
  readonly ca: string | undefined;
  /** The name that the certificate must carry, if it is not that of the URL. */
  readonly serverName: string | undefined;
  /** An AdmissionReview or ConversionReview. */
  readonly body: JsonObject;
  readonly signal: AbortSignal;
}

/** What a webhook answers. */
export interface WebhookReply {
  readonly status: number;
  readonly text: string;
}

/** How a server reaches webhooks. */
export interface WebhookOptions {
  /** Where a Service is reached, such as `https://127.0.0.1:9443`; undefined: nowhere. Default: nowhere. */
  readonly serviceUrl?: (service: WebhookService) => string | undefined;
  /** Delivers a message; default: over HTTP. */
  readonly send?: (message: WebhookMessage) => Promise<WebhookReply>;
}

/** `clientConfig` of a webhook. */
export interface ClientConfig {
  readonly url: string | undefined;
  readonly service: (WebhookService & { readonly path: string }) | undefined;
  /** Base64. */
  readonly caBundle: string | undefined;
}

/** An answer, or why there is none. */
export type Reply = { readonly body: Json } | { readonly fault: string };
