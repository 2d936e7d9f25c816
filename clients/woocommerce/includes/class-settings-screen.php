<?php
/**
 * WooCommerce → Kontor: the settings, and a test of the connection.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Settings_Screen {

	const PAGE = 'kontor-for-woocommerce';

	public static function register() {
		add_action( 'admin_menu', array( self::class, 'add_page' ), 60 );
		add_action( 'admin_post_kontor_save', array( self::class, 'save' ) );
		add_action( 'admin_post_kontor_test', array( self::class, 'test' ) );
	}

	public static function add_page() {
		add_submenu_page( 'woocommerce', __( 'Kontor', 'kontor-for-woocommerce' ), __( 'Kontor', 'kontor-for-woocommerce' ), 'manage_woocommerce', self::PAGE, array( self::class, 'show' ) );
	}

	public static function save() {
		self::authorize( 'kontor_save' );
		$entered = isset( $_POST['kontor'] ) && is_array( $_POST['kontor'] ) ? wp_unslash( $_POST['kontor'] ) : array(); // phpcs:ignore WordPress.Security
		$errors  = Settings::save( $entered );
		self::back( array() === $errors ? array( __( 'Saved.', 'kontor-for-woocommerce' ) ) : $errors, array() === $errors );
	}

	/** Reads the storage locations: it shows that address and key are right, and gives their names. */
	public static function test() {
		self::authorize( 'kontor_test' );
		try {
			$storages = array();
			foreach ( Api::call( 'storages/get_list' )['storages'] as $storage ) {
				$storages[ absint( $storage['id'] ) ] = sanitize_text_field( $storage['name'] );
			}
			update_option( 'kontor_storages', $storages, false );
			Api::call( 'stock/get_changes', array( 'limit' => 1 ) );
			Api::call( 'orders/get_list', array( 'limit' => 1 ) );
			Queue::add_now( 'kontor_pull_stock' );
			self::back( array( __( 'Kontor answers, and the key may read what the shop needs.', 'kontor-for-woocommerce' ) ), true );
		} catch ( Api_Error $error ) {
			self::back( array( $error->getMessage() ), false );
		}
	}

	public static function show() {
		if ( ! current_user_can( 'manage_woocommerce' ) ) {
			return;
		}
		$settings = Settings::all();
		$message  = get_transient( self::message_name() );
		delete_transient( self::message_name() );
		echo '<div class="wrap"><h1>' . esc_html__( 'Kontor', 'kontor-for-woocommerce' ) . '</h1>';
		if ( is_array( $message ) ) {
			echo '<div class="notice ' . ( $message['ok'] ? 'notice-success' : 'notice-error' ) . '"><p>' . esc_html( implode( ' ', $message['texts'] ) ) . '</p></div>';
		}
		echo '<form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '"><input type="hidden" name="action" value="kontor_save">';
		wp_nonce_field( 'kontor_save' );
		echo '<table class="form-table" role="presentation">';
		self::field( 'url', __( 'Address', 'kontor-for-woocommerce' ), 'url', $settings['url'], 'https://kontor.example.com' );
		self::field( 'key', __( 'API key', 'kontor-for-woocommerce' ), 'password', '', self::stored( $settings['key'] ) );
		self::field( 'secret', __( 'Secret of the webhook', 'kontor-for-woocommerce' ), 'password', '', self::stored( $settings['secret'] ) );
		self::storage_field( absint( $settings['storage_id'] ) );
		echo '<tr><th scope="row">' . esc_html__( 'Address for the webhook', 'kontor-for-woocommerce' ) . '</th><td><code>' . esc_html( rest_url( 'kontor/v1/webhook' ) ) . '</code></td></tr></table>';
		submit_button( __( 'Save', 'kontor-for-woocommerce' ) );
		echo '</form><form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '"><input type="hidden" name="action" value="kontor_test">';
		wp_nonce_field( 'kontor_test' );
		submit_button( __( 'Test the connection', 'kontor-for-woocommerce' ), 'secondary' );
		echo '</form>';
		self::last_pull();
		echo '</div>';
	}

	private static function field( $name, $label, $type, $value, $placeholder ) {
		printf(
			'<tr><th scope="row"><label for="kontor-%1$s">%2$s</label></th><td><input class="regular-text" id="kontor-%1$s" name="kontor[%1$s]" type="%3$s" value="%4$s" placeholder="%5$s" autocomplete="off"></td></tr>',
			esc_attr( $name ),
			esc_html( $label ),
			esc_attr( $type ),
			esc_attr( $value ),
			esc_attr( $placeholder )
		);
	}

	private static function storage_field( $chosen ) {
		$storages = get_option( 'kontor_storages', array() );
		$storages = array( 0 => __( 'All locations', 'kontor-for-woocommerce' ) ) + ( is_array( $storages ) ? $storages : array() );
		if ( ! isset( $storages[ $chosen ] ) ) {
			$storages[ $chosen ] = (string) $chosen;
		}
		echo '<tr><th scope="row"><label for="kontor-storage">' . esc_html__( 'Stock location', 'kontor-for-woocommerce' ) . '</label></th><td><select id="kontor-storage" name="kontor[storage_id]">';
		foreach ( $storages as $id => $name ) {
			echo '<option value="' . esc_attr( (string) $id ) . '"' . selected( $chosen, $id, false ) . '>' . esc_html( $name ) . '</option>';
		}
		echo '</select><p class="description">' . esc_html__( 'Test the connection to see the names.', 'kontor-for-woocommerce' ) . '</p></td></tr>';
	}

	private static function last_pull() {
		$last = get_option( 'kontor_last_pull' );
		if ( is_array( $last ) ) {
			/* translators: %s: date and time */
			echo '<p>' . esc_html( sprintf( __( 'Stock was last read at %s.', 'kontor-for-woocommerce' ), wp_date( 'Y-m-d H:i:s', absint( $last['at'] ) ) ) ) . ' ' . esc_html( (string) $last['error'] ) . '</p>';
		}
	}

	private static function stored( $secret ) {
		return '' === $secret ? '' : __( 'stored; leave empty to keep it', 'kontor-for-woocommerce' );
	}

	private static function authorize( $action ) {
		check_admin_referer( $action );
		if ( ! current_user_can( 'manage_woocommerce' ) ) {
			wp_die( esc_html__( 'You may not do this.', 'kontor-for-woocommerce' ), '', array( 'response' => 403 ) );
		}
	}

	private static function back( array $texts, $ok ) {
		set_transient(
			self::message_name(),
			array(
				'texts' => $texts,
				'ok'    => $ok,
			),
			60
		);
		wp_safe_redirect( admin_url( 'admin.php?page=' . self::PAGE ) );
		exit;
	}

	private static function message_name() {
		return 'kontor_message_' . get_current_user_id();
	}
}
