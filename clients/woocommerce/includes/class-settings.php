<?php
/**
 * The settings: where Kontor is, the key, and the storage location whose stock the shop sells.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Settings {

	const OPTION = 'kontor_settings';

	const DEFAULTS = array(
		'url'        => '',
		'key'        => '',
		'secret'     => '',
		'storage_id' => 0,
	);

	/**
	 * @return array{url: string, key: string, secret: string, storage_id: int}
	 */
	public static function all() {
		$stored = get_option( self::OPTION, array() );
		$all    = array_merge( self::DEFAULTS, is_array( $stored ) ? array_intersect_key( $stored, self::DEFAULTS ) : array() );
		// Secrets can be kept out of the database.
		if ( defined( 'KONTOR_API_KEY' ) ) {
			$all['key'] = (string) constant( 'KONTOR_API_KEY' );
		}
		if ( defined( 'KONTOR_WEBHOOK_SECRET' ) ) {
			$all['secret'] = (string) constant( 'KONTOR_WEBHOOK_SECRET' );
		}
		return $all;
	}

	public static function is_complete() {
		$all = self::all();
		return '' !== $all['url'] && '' !== $all['key'];
	}

	/**
	 * Stores what was entered. An empty secret keeps the stored one, because secrets are never shown.
	 *
	 * @param array<string, mixed> $entered Unslashed.
	 * @return string[] What is wrong with it; then nothing is stored.
	 */
	public static function save( array $entered ) {
		$new    = array_merge( self::DEFAULTS, (array) get_option( self::OPTION, array() ) );
		$errors = array();

		$url   = trim( sanitize_text_field( self::text( $entered, 'url' ) ) );
		$parts = wp_parse_url( $url );
		if ( ! is_array( $parts ) || ! in_array( $parts['scheme'] ?? '', array( 'http', 'https' ), true ) || empty( $parts['host'] ) || isset( $parts['user'] ) || isset( $parts['query'] ) ) {
			$errors[] = __( 'The address must be like https://kontor.example.com.', 'kontor-for-woocommerce' );
		}
		$new['url'] = esc_url_raw( untrailingslashit( $url ), array( 'http', 'https' ) );

		$key = trim( self::text( $entered, 'key' ) );
		if ( '' !== $key && 1 !== preg_match( '/^[\x21-\x7e]{1,255}$/', $key ) ) {
			$errors[] = __( 'This is not an API key.', 'kontor-for-woocommerce' );
		} elseif ( '' !== $key ) {
			$new['key'] = $key;
		}

		$secret = trim( self::text( $entered, 'secret' ) );
		if ( '' !== $secret && 1 !== preg_match( '#^whsec_[A-Za-z0-9+/]{20,200}={0,2}$#', $secret ) ) {
			$errors[] = __( 'The secret of a webhook begins with whsec_.', 'kontor-for-woocommerce' );
		} elseif ( '' !== $secret ) {
			$new['secret'] = $secret;
		}

		$storage_id = absint( self::text( $entered, 'storage_id' ) );
		$is_other   = absint( $new['storage_id'] ) !== $storage_id || self::all()['url'] !== $new['url'] || ( '' !== $key && self::all()['key'] !== $key );

		$new['storage_id'] = $storage_id;
		if ( array() === $errors ) {
			update_option( self::OPTION, $new, false );
			if ( $is_other ) {
				// The levels that were read belong to other goods.
				Stock::forget();
			}
		}
		return $errors;
	}

	private static function text( array $entered, $name ) {
		return isset( $entered[ $name ] ) && is_scalar( $entered[ $name ] ) ? (string) $entered[ $name ] : '';
	}
}
