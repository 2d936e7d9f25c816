<?php
/**
 * Calls methods of Kontor with WordPress' own HTTP functions, so that its proxy settings apply.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Api {

	const TIMEOUT_SECONDS    = 20;
	const MAX_RESPONSE_BYTES = 8388608;

	/**
	 * @param string               $method          Such as orders/add.
	 * @param array<string, mixed> $input           Its fields.
	 * @param string               $idempotency_key Identifies a write, which then happens once however often it is sent.
	 * @return array<string, mixed> The fields of the response.
	 * @throws Api_Error When it does not succeed.
	 */
	public static function call( $method, array $input = array(), $idempotency_key = '' ) {
		$settings = Settings::all();
		if ( ! Settings::is_complete() ) {
			throw new Api_Error( $method, 0, __( 'The address or the key of Kontor is not set.', 'kontor-for-woocommerce' ) );
		}
		$headers = array(
			'Authorization' => $settings['key'],
			'Content-Type'  => 'application/json',
		);
		if ( '' !== $idempotency_key ) {
			$headers['Idempotency-Key'] = $idempotency_key;
		}
		$response = wp_remote_post(
			"{$settings['url']}/v1/$method.php",
			array(
				'headers'             => $headers,
				'body'                => wp_json_encode( (object) $input ),
				'timeout'             => self::TIMEOUT_SECONDS,
				// A redirect could send the key to another server.
				'redirection'         => 0,
				'limit_response_size' => self::MAX_RESPONSE_BYTES,
				'user-agent'          => 'kontor-for-woocommerce',
			)
		);
		if ( is_wp_error( $response ) ) {
			throw new Api_Error( $method, 0, __( 'No response arrived.', 'kontor-for-woocommerce' ) . ' ' . $response->get_error_message() );
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$answer = json_decode( wp_remote_retrieve_body( $response ), true );
		if ( 200 === $status && is_array( $answer ) && true === ( $answer['success'] ?? null ) ) {
			return $answer;
		}
		$text = is_array( $answer ) && is_string( $answer['error'] ?? null ) ? $answer['error'] : self::reason( $status );
		throw new Api_Error(
			$method,
			$status,
			$text,
			(string) wp_remote_retrieve_header( $response, 'kontor-error-code' ),
			absint( wp_remote_retrieve_header( $response, 'retry-after' ) )
		);
	}

	/** For responses without an error text. */
	private static function reason( $status ) {
		if ( 401 === $status ) {
			return __( 'The API key was not accepted.', 'kontor-for-woocommerce' );
		}
		return $status < 400
			? __( 'The response is not from Kontor.', 'kontor-for-woocommerce' )
			: __( 'No reason was given.', 'kontor-for-woocommerce' );
	}
}
