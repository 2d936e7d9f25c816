<?php
/**
 * Receives the webhooks of Kontor, which are signed as the Standard Webhooks conventions define. A message only says that something changed; the
 * work is done afterwards.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Webhook {

	/** A message older or newer than this is refused, so that a recorded one cannot be sent again later. */
	const TOLERANCE_SECONDS = 300;
	const MAX_BYTES         = 65536;

	public static function register() {
		add_action(
			'rest_api_init',
			static function () {
				register_rest_route(
					'kontor/v1',
					'/webhook',
					array(
						'methods'             => 'POST',
						'callback'            => array( self::class, 'receive' ),
						'permission_callback' => array( self::class, 'is_signed' ),
					)
				);
			}
		);
	}

	/**
	 * @return true|\WP_Error
	 */
	public static function is_signed( \WP_REST_Request $request ) {
		$valid = self::verify(
			Settings::all()['secret'],
			(string) $request->get_body(),
			(string) $request->get_header( 'webhook_id' ),
			(string) $request->get_header( 'webhook_timestamp' ),
			(string) $request->get_header( 'webhook_signature' )
		);
		return $valid ? true : new \WP_Error( 'kontor_signature', __( 'The signature is not valid.', 'kontor-for-woocommerce' ), array( 'status' => 400 ) );
	}

	public static function verify( $secret, $body, $id, $timestamp, $signatures ) {
		$key = base64_decode( (string) preg_replace( '/^whsec_/', '', $secret ), true ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
		if ( '' === $secret || false === $key || '' === $key || '' === $id || strlen( $body ) > self::MAX_BYTES ) {
			return false;
		}
		if ( ! ctype_digit( $timestamp ) || abs( time() - (int) $timestamp ) > self::TOLERANCE_SECONDS ) {
			return false;
		}
		$expected = base64_encode( hash_hmac( 'sha256', "$id.$timestamp.$body", $key, true ) ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
		foreach ( array_slice( explode( ' ', $signatures ), 0, 10 ) as $signature ) {
			if ( 0 === strpos( $signature, 'v1,' ) && hash_equals( $expected, substr( $signature, 3 ) ) ) {
				return true;
			}
		}
		return false;
	}

	public static function receive( \WP_REST_Request $request ) {
		$message = json_decode( (string) $request->get_body(), true );
		$data    = is_array( $message ) && is_array( $message['data'] ?? null ) ? $message['data'] : array();
		Queue::add( 'kontor_pull_stock' );
		if ( 'order' === ( $data['record'] ?? '' ) && 'order.created' !== ( $data['type'] ?? '' ) ) {
			$sale_id = absint( $data['id'] ?? 0 );
			if ( self::is_ours( $sale_id ) ) {
				Queue::add( 'kontor_refresh_sale', array( $sale_id ) );
			}
		}
		return new \WP_REST_Response( null, 204 );
	}

	/** Whether an order of the shop may be this sale; most sales of a company may be of others. */
	private static function is_ours( $sale_id ) {
		$orders = wc_get_orders(
			array(
				'limit'      => 1,
				'meta_key'   => '_kontor_order_id', // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_key
				'meta_value' => (string) $sale_id, // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_value
			)
		);
		return array() !== $orders;
	}
}
